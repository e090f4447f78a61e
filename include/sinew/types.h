// Scalar types, constants and linkage macros of the public interface.

#ifndef SINEW_TYPES_H_
#define SINEW_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#ifdef SN_SINGLE
typedef float snReal;
#else
typedef double snReal;
#endif
typedef unsigned char snByte;
typedef int64_t snSize;

#ifdef __cplusplus
#define SN_EXTERN_C_BEGIN extern "C" {
#define SN_EXTERN_C_END }
#else
#define SN_EXTERN_C_BEGIN
#define SN_EXTERN_C_END
#endif

#if defined(_WIN32) || !defined(__GNUC__)
#define SN_API
#else
#define SN_API __attribute__((visibility("default")))
#endif

// version of the library, and of the MuJoCo interface that it implements
#define SN_VERSION "0.1.0"
#define snVERSION_HEADER 3005000

// numeric constants
#define snPI 3.14159265358979323846
#define snMINVAL 1e-15   // smallest divisor and norm
#define snMAXVAL 1e10    // largest magnitude of a valid state
#define snMINMU 1e-5     // smallest friction coefficient
#define snMINIMP 0.0001  // smallest constraint impedance
#define snMAXIMP 0.9999  // largest constraint impedance

// sizes of fixed arrays
#define snMAXCONPAIR 50    // most contacts of one pair of geoms
#define snMAXTREEDEPTH 50  // most levels of a bounding volume tree
#define snMAXFLEXNODES 27  // most nodes of an interpolated flex
#define snMINAWAKE 10      // steps below the sleep tolerance before a tree sleeps
#define snNEQDATA 11       // numbers of an equality constraint
#define snNDYN 10          // parameters of actuator dynamics
#define snNGAIN 10         // parameters of an actuator gain
#define snNBIAS 10         // parameters of an actuator bias
#define snNFLUID 12        // fluid coefficients of a geom
#define snNHULLSTART 96    // cells of directions that a convex hull has a vertex for
#define snNELASTICITY 5    // laws of stretch of a flex, MuJoCo's included
#define snNBENDING 2       // laws of bending
#define snNFLEXPARAM 10    // parameters of a law of stretch or bending of a flex
#define snNCAPSTAN 3       // parameters of friction of a tendon around a wrapping geom or pulley
#define snNMODELNAME 64    // bytes of the name of a registered law of an actuator
#define snNREF 2           // solver reference parameters
#define snNIMP 5           // solver impedance parameters
#define snNSENS 3          // integer parameters of a sensor
#define snNSOLVER 200      // solver statistics kept per island
#define snNISLAND 20       // islands with statistics
#define snNGROUP 6         // geom, site, joint, ... groups
#define snMAXTHREAD 128    // most threads of a pool

#endif  // SINEW_TYPES_H_
