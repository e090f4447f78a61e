// Enumerations of the public interface: MuJoCo 3.5.0's names and values with the prefix changed.
//
// This file is a table: one enumerator a line. The Python enums, the compatibility headers and the
// reference page are generated from it.

#ifndef SINEW_ENUMS_H_
#define SINEW_ENUMS_H_

// disable flags; bit set = feature off
typedef enum snDisableBit_ {
  snDSBL_CONSTRAINT = 1,       // solver
  snDSBL_EQUALITY = 2,         // equalities
  snDSBL_FRICTIONLOSS = 4,     // friction
  snDSBL_LIMIT = 8,            // limits
  snDSBL_CONTACT = 16,         // contacts
  snDSBL_SPRING = 32,          // springs
  snDSBL_DAMPER = 64,          // dampers
  snDSBL_GRAVITY = 128,        // gravity
  snDSBL_CLAMPCTRL = 256,      // ctrl-clamping
  snDSBL_WARMSTART = 512,      // warmstarting
  snDSBL_FILTERPARENT = 1024,  // parent-filter
  snDSBL_ACTUATION = 2048,     // actuation
  snDSBL_REFSAFE = 4096,       // ref-safety
  snDSBL_SENSOR = 8192,        // sensing
  snDSBL_MIDPHASE = 16384,     // midphase
  snDSBL_EULERDAMP = 32768,    // implicit-damping
  snDSBL_AUTORESET = 65536,    // auto-reset
  snDSBL_NATIVECCD = 131072,   // native-ccd
  snDSBL_ISLAND = 262144,      // islands
  snNDISABLE = 19,             // count
} snDisableBit;

// enable flags; bit set = feature on
typedef enum snEnableBit_ {
  snENBL_OVERRIDE = 1,     // contact-override
  snENBL_ENERGY = 2,       // energies
  snENBL_FWDINV = 4,       // fwd-inv-comparison
  snENBL_INVDISCRETE = 8,  // discrete-inverse
  snENBL_MULTICCD = 16,    // multi-ccd
  snENBL_SLEEP = 32,       // sleeping
  snNENABLE = 6,           // count
  snENBL_LINEAR = 65536,   // extension: steps without constraints never form M
} snEnableBit;

// joint type (nq/nv: free 7/6, ball 4/3, slide 1/1, hinge 1/1)
typedef enum snJoint_ {
  snJNT_FREE = 0,   // 6-dof
  snJNT_BALL = 1,   // rotation
  snJNT_SLIDE = 2,  // translation
  snJNT_HINGE = 3,  // revolute
} snJoint;

// geom type; collision order is by value
typedef enum snGeom_ {
  snGEOM_PLANE = 0,       // infinite-plane
  snGEOM_HFIELD = 1,      // heightfield
  snGEOM_SPHERE = 2,      // sphere
  snGEOM_CAPSULE = 3,     // capsule
  snGEOM_ELLIPSOID = 4,   // ellipsoid
  snGEOM_CYLINDER = 5,    // cylinder
  snGEOM_BOX = 6,         // box
  snGEOM_MESH = 7,        // mesh
  snGEOM_SDF = 8,         // distance-field
  snNGEOMTYPES = 9,       // count
  snGEOM_ARROW = 100,     // arrow-visual
  snGEOM_ARROW1 = 101,    // arrow1-visual
  snGEOM_ARROW2 = 102,    // arrow2-visual
  snGEOM_LINE = 103,      // line-visual
  snGEOM_LINEBOX = 104,   // linebox-visual
  snGEOM_FLEX = 105,      // flex-visual
  snGEOM_SKIN = 106,      // skin-visual
  snGEOM_LABEL = 107,     // label-visual
  snGEOM_TRIANGLE = 108,  // triangle-visual
  snGEOM_NONE = 1001,     // absent
} snGeom;

// camera projection
typedef enum snProjection_ {
  snPROJ_PERSPECTIVE = 0,   // perspective
  snPROJ_ORTHOGRAPHIC = 1,  // orthographic
} snProjection;

// camera/light tracking
typedef enum snCamLight_ {
  snCAMLIGHT_FIXED = 0,          // fixed
  snCAMLIGHT_TRACK = 1,          // tracking
  snCAMLIGHT_TRACKCOM = 2,       // com-tracking
  snCAMLIGHT_TARGETBODY = 3,     // targeting
  snCAMLIGHT_TARGETBODYCOM = 4,  // com-targeting
} snCamLight;

// light
typedef enum snLightType_ {
  snLIGHT_SPOT = 0,         // spot
  snLIGHT_DIRECTIONAL = 1,  // directional
  snLIGHT_POINT = 2,        // point
  snLIGHT_IMAGE = 3,        // image
} snLightType;

// texture
typedef enum snTexture_ {
  snTEXTURE_2D = 0,      // planar
  snTEXTURE_CUBE = 1,    // cube
  snTEXTURE_SKYBOX = 2,  // sky
} snTexture;

// texture role
typedef enum snTextureRole_ {
  snTEXROLE_USER = 0,       // unspecified
  snTEXROLE_RGB = 1,        // color
  snTEXROLE_OCCLUSION = 2,  // occlusion
  snTEXROLE_ROUGHNESS = 3,  // roughness
  snTEXROLE_METALLIC = 4,   // metallic
  snTEXROLE_NORMAL = 5,     // bump
  snTEXROLE_OPACITY = 6,    // opacity
  snTEXROLE_EMISSIVE = 7,   // emission
  snTEXROLE_RGBA = 8,       // color-alpha
  snTEXROLE_ORM = 9,        // packed
  snNTEXROLE = 10,          // count
} snTextureRole;

// color space
typedef enum snColorSpace_ {
  snCOLORSPACE_AUTO = 0,    // detect
  snCOLORSPACE_LINEAR = 1,  // linear
  snCOLORSPACE_SRGB = 2,    // gamma
} snColorSpace;

// integrator
typedef enum snIntegrator_ {
  snINT_EULER = 0,                 // semi-implicit
  snINT_RK4 = 1,                   // runge-kutta
  snINT_IMPLICIT = 2,              // full-implicit
  snINT_IMPLICITFAST = 3,          // reduced-implicit
  snINT_IMPLICITSPRINGDAMPER = 4,  // extension: stiffness and damping implicit
} snIntegrator;

// friction cone
typedef enum snCone_ {
  snCONE_PYRAMIDAL = 0,  // linearised
  snCONE_ELLIPTIC = 1,   // quadratic
} snCone;

// constraint Jacobian; auto is dense for nv<60
typedef enum snJacobian_ {
  snJAC_DENSE = 0,   // dense
  snJAC_SPARSE = 1,  // sparse
  snJAC_AUTO = 2,    // automatic
} snJacobian;

// constraint solver
typedef enum snSolver_ {
  snSOL_PGS = 0,     // dual
  snSOL_CG = 1,      // gradient
  snSOL_NEWTON = 2,  // second-order
  snSOL_XPBD = 3,    // extension: positions, sinew/contactsolver.h
} snSolver;

// equality
typedef enum snEq_ {
  snEQ_CONNECT = 0,   // point
  snEQ_WELD = 1,      // pose
  snEQ_JOINT = 2,     // joint-poly
  snEQ_TENDON = 3,    // tendon-poly
  snEQ_FLEX = 4,      // flex-edges
  snEQ_FLEXVERT = 5,  // flex-verts
  snEQ_DISTANCE = 6,  // extension: distance of two sites
} snEq;

// tendon path object
typedef enum snWrap_ {
  snWRAP_NONE = 0,      // empty
  snWRAP_JOINT = 1,     // joint-coef
  snWRAP_PULLEY = 2,    // divider
  snWRAP_SITE = 3,      // site
  snWRAP_SPHERE = 4,    // sphere
  snWRAP_CYLINDER = 5,  // cylinder
} snWrap;

// actuator transmission
typedef enum snTrn_ {
  snTRN_JOINT = 0,          // joint
  snTRN_JOINTINPARENT = 1,  // joint-parent
  snTRN_SLIDERCRANK = 2,    // slider-crank
  snTRN_TENDON = 3,         // tendon
  snTRN_SITE = 4,           // site
  snTRN_BODY = 5,           // adhesion
  snTRN_UNDEFINED = 1000,   // unset
} snTrn;

// actuator dynamics
typedef enum snDyn_ {
  snDYN_NONE = 0,         // stateless
  snDYN_INTEGRATOR = 1,   // integrator
  snDYN_FILTER = 2,       // lowpass
  snDYN_FILTEREXACT = 3,  // lowpass-exact
  snDYN_MUSCLE = 4,       // muscle
  snDYN_USER = 5,         // callback
  snDYN_HILL = 6,         // extension: Hill muscle, fibre state with actdim 2
} snDyn;

// actuator gain
typedef enum snGain_ {
  snGAIN_FIXED = 0,   // constant
  snGAIN_AFFINE = 1,  // affine
  snGAIN_MUSCLE = 2,  // muscle
  snGAIN_USER = 3,    // callback
  snGAIN_HILL = 4,    // extension: Hill muscle, active force
  snGAIN_MODEL = 5,   // extension: law of actuator_model
} snGain;

// actuator bias
typedef enum snBias_ {
  snBIAS_NONE = 0,    // zero
  snBIAS_AFFINE = 1,  // affine
  snBIAS_MUSCLE = 2,  // muscle
  snBIAS_USER = 3,    // callback
  snBIAS_HILL = 4,    // extension: Hill muscle, passive force or tendon
  snBIAS_MODEL = 5,   // extension: law of actuator_model
} snBias;

// object type
typedef enum snObj_ {
  snOBJ_UNKNOWN = 0,    // unknown
  snOBJ_BODY = 1,       // inertial-frame
  snOBJ_XBODY = 2,      // body-frame
  snOBJ_JOINT = 3,      // joint
  snOBJ_DOF = 4,        // dof
  snOBJ_GEOM = 5,       // geom
  snOBJ_SITE = 6,       // site
  snOBJ_CAMERA = 7,     // camera
  snOBJ_LIGHT = 8,      // light
  snOBJ_FLEX = 9,       // flex
  snOBJ_MESH = 10,      // mesh
  snOBJ_SKIN = 11,      // skin
  snOBJ_HFIELD = 12,    // heightfield
  snOBJ_TEXTURE = 13,   // texture
  snOBJ_MATERIAL = 14,  // material
  snOBJ_PAIR = 15,      // pair
  snOBJ_EXCLUDE = 16,   // exclusion
  snOBJ_EQUALITY = 17,  // equality
  snOBJ_TENDON = 18,    // tendon
  snOBJ_ACTUATOR = 19,  // actuator
  snOBJ_SENSOR = 20,    // sensor
  snOBJ_NUMERIC = 21,   // numeric
  snOBJ_TEXT = 22,      // text
  snOBJ_TUPLE = 23,     // tuple
  snOBJ_KEY = 24,       // keyframe
  snOBJ_PLUGIN = 25,    // plugin
  snNOBJECT = 26,       // count
  snOBJ_FRAME = 100,    // frame-meta
  snOBJ_DEFAULT = 101,  // default-meta
  snOBJ_MODEL = 102,    // model-meta
  // extension
  snOBJ_DEFORMABLE = 103,
} snObj;

//
typedef enum snSensor_ {
  snSENS_TOUCH = 0,            // contact-force
  snSENS_ACCELEROMETER = 1,    // linear-accel
  snSENS_VELOCIMETER = 2,      // linear-velocity
  snSENS_GYRO = 3,             // angular-velocity
  snSENS_FORCE = 4,            // force
  snSENS_TORQUE = 5,           // torque
  snSENS_MAGNETOMETER = 6,     // magnetic-flux
  snSENS_RANGEFINDER = 7,      // ray-range
  snSENS_CAMPROJECTION = 8,    // pixel
  snSENS_JOINTPOS = 9,         // joint-position
  snSENS_JOINTVEL = 10,        // joint-velocity
  snSENS_TENDONPOS = 11,       // tendon-length
  snSENS_TENDONVEL = 12,       // tendon-velocity
  snSENS_ACTUATORPOS = 13,     // actuator-length
  snSENS_ACTUATORVEL = 14,     // actuator-velocity
  snSENS_ACTUATORFRC = 15,     // actuator-force
  snSENS_JOINTACTFRC = 16,     // joint-act-force
  snSENS_TENDONACTFRC = 17,    // tendon-act-force
  snSENS_BALLQUAT = 18,        // ball-orientation
  snSENS_BALLANGVEL = 19,      // ball-velocity
  snSENS_JOINTLIMITPOS = 20,   // joint-limit-distance
  snSENS_JOINTLIMITVEL = 21,   // joint-limit-velocity
  snSENS_JOINTLIMITFRC = 22,   // joint-limit-force
  snSENS_TENDONLIMITPOS = 23,  // tendon-limit-distance
  snSENS_TENDONLIMITVEL = 24,  // tendon-limit-velocity
  snSENS_TENDONLIMITFRC = 25,  // tendon-limit-force
  snSENS_FRAMEPOS = 26,        // position
  snSENS_FRAMEQUAT = 27,       // orientation
  snSENS_FRAMEXAXIS = 28,      // x-axis
  snSENS_FRAMEYAXIS = 29,      // y-axis
  snSENS_FRAMEZAXIS = 30,      // z-axis
  snSENS_FRAMELINVEL = 31,     // linear-velocity
  snSENS_FRAMEANGVEL = 32,     // angular-velocity
  snSENS_FRAMELINACC = 33,     // linear-acceleration
  snSENS_FRAMEANGACC = 34,     // angular-acceleration
  snSENS_SUBTREECOM = 35,      // subtree-com
  snSENS_SUBTREELINVEL = 36,   // subtree-velocity
  snSENS_SUBTREEANGMOM = 37,   // subtree-momentum
  snSENS_INSIDESITE = 38,      // containment
  snSENS_GEOMDIST = 39,        // distance
  snSENS_GEOMNORMAL = 40,      // normal
  snSENS_GEOMFROMTO = 41,      // segment
  snSENS_CONTACT = 42,         // contact-report
  snSENS_E_POTENTIAL = 43,     // potential
  snSENS_E_KINETIC = 44,       // kinetic
  snSENS_CLOCK = 45,           // time
  snSENS_TACTILE = 46,         // tactile
  snSENS_PLUGIN = 47,          // plugin
  snSENS_USER = 48,            // callback
} snSensor;

// compute stage
typedef enum snStage_ {
  snSTAGE_NONE = 0,  // none
  snSTAGE_POS = 1,   // position
  snSTAGE_VEL = 2,   // velocity
  snSTAGE_ACC = 3,   // acceleration
} snStage;

// sensor data
typedef enum snDataType_ {
  snDATATYPE_REAL = 0,        // real
  snDATATYPE_POSITIVE = 1,    // nonnegative
  snDATATYPE_AXIS = 2,        // unit-vector
  snDATATYPE_QUATERNION = 3,  // unit-quaternion
} snDataType;

// contact sensor field (size)
typedef enum snConDataField_ {
  snCONDATA_FOUND = 0,    // match-count(1)
  snCONDATA_FORCE = 1,    // force(3)
  snCONDATA_TORQUE = 2,   // torque(3)
  snCONDATA_DIST = 3,     // distance(1)
  snCONDATA_POS = 4,      // position(3)
  snCONDATA_NORMAL = 5,   // normal(3)
  snCONDATA_TANGENT = 6,  // tangent(3)
  snNCONDATA = 7,         // count
} snConDataField;

// rangefinder field
typedef enum snRayDataField_ {
  snRAYDATA_DIST = 0,    // distance
  snRAYDATA_DIR = 1,     // direction
  snRAYDATA_ORIGIN = 2,  // origin
  snRAYDATA_POINT = 3,   // hit-point
  snRAYDATA_NORMAL = 4,  // normal
  snRAYDATA_DEPTH = 5,   // depth
  snNRAYDATA = 6,        // count
} snRayDataField;

// camera output bits
typedef enum snCamOutBit_ {
  snCAMOUT_RGB = 1,     // color
  snCAMOUT_DEPTH = 2,   // depth
  snCAMOUT_DIST = 4,    // range
  snCAMOUT_NORMAL = 8,  // normals
  snCAMOUT_SEG = 16,    // labels
  snNCAMOUT = 5,        // count
} snCamOutBit;

// frame alignment shortcut
typedef enum snSameFrame_ {
  snSAMEFRAME_NONE = 0,        // none
  snSAMEFRAME_BODY = 1,        // body
  snSAMEFRAME_INERTIA = 2,     // inertia
  snSAMEFRAME_BODYROT = 3,     // body-rotation
  snSAMEFRAME_INERTIAROT = 4,  // inertia-rotation
} snSameFrame;

// tree sleep policy
typedef enum snSleepPolicy_ {
  snSLEEP_AUTO = 0,          // undecided
  snSLEEP_AUTO_NEVER = 1,    // auto-awake
  snSLEEP_AUTO_ALLOWED = 2,  // auto-sleepable
  snSLEEP_NEVER = 3,         // forced-awake
  snSLEEP_ALLOWED = 4,       // user-sleepable
  snSLEEP_INIT = 5,          // starts-asleep
} snSleepPolicy;

// length-range targets
typedef enum snLRMode_ {
  snLRMODE_NONE = 0,        // none
  snLRMODE_MUSCLE = 1,      // muscles
  snLRMODE_MUSCLEUSER = 2,  // muscles+user
  snLRMODE_ALL = 3,         // all
} snLRMode;

// flex self-collision
typedef enum snFlexSelf_ {
  snFLEXSELF_NONE = 0,    // off
  snFLEXSELF_NARROW = 1,  // direct
  snFLEXSELF_BVH = 2,     // bvh
  snFLEXSELF_SAP = 3,     // sweep
  snFLEXSELF_AUTO = 4,    // automatic
} snFlexSelf;

// SDF combination
typedef enum snSDFType_ {
  snSDFTYPE_SINGLE = 0,        // single
  snSDFTYPE_INTERSECTION = 1,  // intersection
  snSDFTYPE_MIDSURFACE = 2,    // mid-surface
  snSDFTYPE_COLLISION = 3,     // collision
} snSDFType;

// thread task
typedef enum snTaskStatus_ {
  snTASK_NEW = 0,        // new
  snTASK_QUEUED = 1,     // queued
  snTASK_COMPLETED = 2,  // done
} snTaskStatus;

// extension: kinds of deformables
typedef enum snDeformable_ {
  snDEFORMABLE_CLOTH = 0,  // triangles
  snDEFORMABLE_SOFT = 1,   // tetrahedra
  snDEFORMABLE_CHAIN = 2,  // lines
} snDeformable;

// extension: kinds of constraints inside of a deformable
typedef enum snDeformConstraint_ {
  snDEFORM_TETHER = 0,  // largest distance of two vertices several edges apart
  snDEFORM_LENGTH = 1,  // of an edge
  snDEFORM_BEND = 2,    // at an edge of two triangles, or at a vertex of a chain
  snDEFORM_VOLUME = 3,  // of a tetrahedron
  snDEFORM_TWIST = 4,   // torsion of a chain
} snDeformConstraint;

// state component bits
typedef enum snState_ {
  snSTATE_TIME = 1,             // time
  snSTATE_QPOS = 2,             // positions
  snSTATE_QVEL = 4,             // velocities
  snSTATE_ACT = 8,              // activations
  snSTATE_HISTORY = 16,         // delays
  snSTATE_WARMSTART = 32,       // warmstart
  snSTATE_CTRL = 64,            // controls
  snSTATE_QFRC_APPLIED = 128,   // joint-forces
  snSTATE_XFRC_APPLIED = 256,   // body-forces
  snSTATE_EQ_ACTIVE = 512,      // eq-toggles
  snSTATE_MOCAP_POS = 1024,     // mocap-position
  snSTATE_MOCAP_QUAT = 2048,    // mocap-orientation
  snSTATE_USERDATA = 4096,      // user-data
  snSTATE_PLUGIN = 8192,        // plugin-state
  snNSTATE = 14,                // count
  snSTATE_PHYSICS = 30,         // physics
  snSTATE_FULLPHYSICS = 8223,   // full-physics
  snSTATE_USER = 8128,          // inputs
  snSTATE_INTEGRATION = 16383,  // all
} snState;

// constraint row type
typedef enum snConstraint_ {
  snCNSTR_EQUALITY = 0,              // equality
  snCNSTR_FRICTION_DOF = 1,          // dof-friction
  snCNSTR_FRICTION_TENDON = 2,       // tendon-friction
  snCNSTR_LIMIT_JOINT = 3,           // joint-limit
  snCNSTR_LIMIT_TENDON = 4,          // tendon-limit
  snCNSTR_CONTACT_FRICTIONLESS = 5,  // frictionless
  snCNSTR_CONTACT_PYRAMIDAL = 6,     // pyramidal
  snCNSTR_CONTACT_ELLIPTIC = 7,      // elliptic
} snConstraint;

// constraint row state
typedef enum snConstraintState_ {
  snCNSTRSTATE_SATISFIED = 0,  // inactive
  snCNSTRSTATE_QUADRATIC = 1,  // quadratic
  snCNSTRSTATE_LINEARNEG = 2,  // linear-negative
  snCNSTRSTATE_LINEARPOS = 3,  // linear-positive
  snCNSTRSTATE_CONE = 4,       // cone
} snConstraintState;

// extension: bits of snData.status beyond 1 << snWarning
typedef enum snStatus_ {
  snSTATUS_NOTPOSDEF = 65536,      // indefinite system matrix
  snSTATUS_SINGULAR = 131072,      // singular system matrix
  snSTATUS_NOTCONVERGED = 262144,  // solver stopped at its iteration limit
} snStatus;

// warning counters
typedef enum snWarning_ {
  snWARN_INERTIA = 0,      // singular-inertia
  snWARN_CONTACTFULL = 1,  // contact-overflow
  snWARN_CNSTRFULL = 2,    // constraint-overflow
  snWARN_VGEOMFULL = 3,    // visual-overflow
  snWARN_BADQPOS = 4,      // bad-qpos
  snWARN_BADQVEL = 5,      // bad-qvel
  snWARN_BADQACC = 6,      // bad-qacc
  snWARN_BADCTRL = 7,      // bad-ctrl
  snNWARNING = 8,          // count
} snWarning;

// timers
typedef enum snTimer_ {
  snTIMER_STEP = 0,            // step
  snTIMER_FORWARD = 1,         // forward
  snTIMER_INVERSE = 2,         // inverse
  snTIMER_POSITION = 3,        // position
  snTIMER_VELOCITY = 4,        // velocity
  snTIMER_ACTUATION = 5,       // actuation
  snTIMER_CONSTRAINT = 6,      // constraint
  snTIMER_ADVANCE = 7,         // advance
  snTIMER_POS_KINEMATICS = 8,  // kinematics
  snTIMER_POS_INERTIA = 9,     // inertia
  snTIMER_POS_COLLISION = 10,  // collision
  snTIMER_POS_MAKE = 11,       // make-constraint
  snTIMER_POS_PROJECT = 12,    // project-constraint
  snTIMER_COL_BROAD = 13,      // broadphase
  snTIMER_COL_NARROW = 14,     // narrowphase
  snNTIMER = 15,               // count
} snTimer;

// object sleep state
typedef enum snSleepState_ {
  snS_STATIC = -1,  // static
  snS_ASLEEP = 0,   // asleep
  snS_AWAKE = 1,    // awake
} snSleepState;

// primitive inertia
typedef enum snGeomInertia_ {
  snINERTIA_VOLUME = 0,  // solid
  snINERTIA_SHELL = 1,   // shell
} snGeomInertia;

// mesh inertia
typedef enum snMeshInertia_ {
  snMESH_INERTIA_CONVEX = 0,  // hull
  snMESH_INERTIA_EXACT = 1,   // exact
  snMESH_INERTIA_LEGACY = 2,  // legacy
  snMESH_INERTIA_SHELL = 3,   // shell
} snMeshInertia;

// procedural mesh
typedef enum snMeshBuiltin_ {
  snMESH_BUILTIN_NONE = 0,         // none
  snMESH_BUILTIN_SPHERE = 1,       // sphere
  snMESH_BUILTIN_HEMISPHERE = 2,   // hemisphere
  snMESH_BUILTIN_CONE = 3,         // cone
  snMESH_BUILTIN_SUPERSPHERE = 4,  // supersphere
  snMESH_BUILTIN_SUPERTORUS = 5,   // supertorus
  snMESH_BUILTIN_WEDGE = 6,        // wedge
  snMESH_BUILTIN_PLATE = 7,        // plate
} snMeshBuiltin;

//
typedef enum snBuiltin_ {
  snBUILTIN_NONE = 0,
  snBUILTIN_GRADIENT = 1,
  snBUILTIN_CHECKER = 2,
  snBUILTIN_FLAT = 3,
} snBuiltin;

//
typedef enum snMark_ {
  snMARK_NONE = 0,
  snMARK_EDGE = 1,
  snMARK_CROSS = 2,
  snMARK_RANDOM = 3,
} snMark;

// limit tri-state
typedef enum snLimited_ {
  snLIMITED_FALSE = 0,  // off
  snLIMITED_TRUE = 1,   // on
  snLIMITED_AUTO = 2,   // inferred
} snLimited;

// free-joint alignment
typedef enum snAlignFree_ {
  snALIGNFREE_FALSE = 0,  // off
  snALIGNFREE_TRUE = 1,   // on
  snALIGNFREE_AUTO = 2,   // compiler
} snAlignFree;

// inertia inference
typedef enum snInertiaFromGeom_ {
  snINERTIAFROMGEOM_FALSE = 0,  // never
  snINERTIAFROMGEOM_TRUE = 1,   // always
  snINERTIAFROMGEOM_AUTO = 2,   // when-missing
} snInertiaFromGeom;

// orientation input
typedef enum snOrientation_ {
  snORIENTATION_QUAT = 0,       // quaternion
  snORIENTATION_AXISANGLE = 1,  // axis-angle
  snORIENTATION_XYAXES = 2,     // two-axes
  snORIENTATION_ZAXIS = 3,      // z-axis
  snORIENTATION_EULER = 4,      // euler
} snOrientation;

//
typedef enum snCatBit_ {
  snCAT_STATIC = 1,
  snCAT_DYNAMIC = 2,
  snCAT_DECOR = 4,
  snCAT_ALL = 7,
} snCatBit;

//
typedef enum snMouse_ {
  snMOUSE_NONE = 0,
  snMOUSE_ROTATE_V = 1,
  snMOUSE_ROTATE_H = 2,
  snMOUSE_MOVE_V = 3,
  snMOUSE_MOVE_H = 4,
  snMOUSE_ZOOM = 5,
  snMOUSE_MOVE_V_REL = 6,
  snMOUSE_MOVE_H_REL = 7,
} snMouse;

//
typedef enum snPertBit_ {
  snPERT_TRANSLATE = 1,
  snPERT_ROTATE = 2,
} snPertBit;

//
typedef enum snCamera_ {
  snCAMERA_FREE = 0,
  snCAMERA_TRACKING = 1,
  snCAMERA_FIXED = 2,
  snCAMERA_USER = 3,
} snCamera;

//
typedef enum snLabel_ {
  snLABEL_NONE = 0,
  snLABEL_BODY = 1,
  snLABEL_JOINT = 2,
  snLABEL_GEOM = 3,
  snLABEL_SITE = 4,
  snLABEL_CAMERA = 5,
  snLABEL_LIGHT = 6,
  snLABEL_TENDON = 7,
  snLABEL_ACTUATOR = 8,
  snLABEL_CONSTRAINT = 9,
  snLABEL_FLEX = 10,
  snLABEL_SKIN = 11,
  snLABEL_SELECTION = 12,
  snLABEL_SELPNT = 13,
  snLABEL_CONTACTPOINT = 14,
  snLABEL_CONTACTFORCE = 15,
  snLABEL_ISLAND = 16,
  snNLABEL = 17,
} snLabel;

//
typedef enum snFrame_ {
  snFRAME_NONE = 0,
  snFRAME_BODY = 1,
  snFRAME_GEOM = 2,
  snFRAME_SITE = 3,
  snFRAME_CAMERA = 4,
  snFRAME_LIGHT = 5,
  snFRAME_CONTACT = 6,
  snFRAME_WORLD = 7,
  snNFRAME = 8,
} snFrame;

//
typedef enum snVisFlag_ {
  snVIS_CONVEXHULL = 0,
  snVIS_TEXTURE = 1,
  snVIS_JOINT = 2,
  snVIS_CAMERA = 3,
  snVIS_ACTUATOR = 4,
  snVIS_ACTIVATION = 5,
  snVIS_LIGHT = 6,
  snVIS_TENDON = 7,
  snVIS_RANGEFINDER = 8,
  snVIS_CONSTRAINT = 9,
  snVIS_INERTIA = 10,
  snVIS_SCLINERTIA = 11,
  snVIS_PERTFORCE = 12,
  snVIS_PERTOBJ = 13,
  snVIS_CONTACTPOINT = 14,
  snVIS_ISLAND = 15,
  snVIS_CONTACTFORCE = 16,
  snVIS_CONTACTSPLIT = 17,
  snVIS_TRANSPARENT = 18,
  snVIS_AUTOCONNECT = 19,
  snVIS_COM = 20,
  snVIS_SELECT = 21,
  snVIS_STATIC = 22,
  snVIS_SKIN = 23,
  snVIS_FLEXVERT = 24,
  snVIS_FLEXEDGE = 25,
  snVIS_FLEXFACE = 26,
  snVIS_FLEXSKIN = 27,
  snVIS_BODYBVH = 28,
  snVIS_MESHBVH = 29,
  snVIS_SDFITER = 30,
  snNVISFLAG = 31,
} snVisFlag;

//
typedef enum snRndFlag_ {
  snRND_SHADOW = 0,
  snRND_WIREFRAME = 1,
  snRND_REFLECTION = 2,
  snRND_ADDITIVE = 3,
  snRND_SKYBOX = 4,
  snRND_FOG = 5,
  snRND_HAZE = 6,
  snRND_DEPTH = 7,
  snRND_SEGMENT = 8,
  snRND_IDCOLOR = 9,
  snRND_CULL_FACE = 10,
  snNRNDFLAG = 11,
} snRndFlag;

//
typedef enum snStereo_ {
  snSTEREO_NONE = 0,
  snSTEREO_QUADBUFFERED = 1,
  snSTEREO_SIDEBYSIDE = 2,
} snStereo;

// plugin capability bits
typedef enum snPluginCapabilityBit_ {
  snPLUGIN_ACTUATOR = 1,  // actuator
  snPLUGIN_SENSOR = 2,    // sensor
  snPLUGIN_PASSIVE = 4,   // passive
  snPLUGIN_SDF = 8,       // sdf
} snPluginCapabilityBit;

//
typedef enum snGridPos_ {
  snGRID_TOPLEFT = 0,
  snGRID_TOPRIGHT = 1,
  snGRID_BOTTOMLEFT = 2,
  snGRID_BOTTOMRIGHT = 3,
  snGRID_TOP = 4,
  snGRID_BOTTOM = 5,
  snGRID_LEFT = 6,
  snGRID_RIGHT = 7,
} snGridPos;

//
typedef enum snFramebuffer_ {
  snFB_WINDOW = 0,
  snFB_OFFSCREEN = 1,
} snFramebuffer;

//
typedef enum snDepthMap_ {
  snDEPTH_ZERONEAR = 0,
  snDEPTH_ZEROFAR = 1,
} snDepthMap;

//
typedef enum snFontScale_ {
  snFONTSCALE_50 = 50,
  snFONTSCALE_100 = 100,
  snFONTSCALE_150 = 150,
  snFONTSCALE_200 = 200,
  snFONTSCALE_250 = 250,
  snFONTSCALE_300 = 300,
} snFontScale;

//
typedef enum snFont_ {
  snFONT_NORMAL = 0,
  snFONT_SHADOW = 1,
  snFONT_BIG = 2,
} snFont;

//
typedef enum snButton_ {
  snBUTTON_NONE = 0,
  snBUTTON_LEFT = 1,
  snBUTTON_RIGHT = 2,
  snBUTTON_MIDDLE = 3,
} snButton;

//
typedef enum snEvent_ {
  snEVENT_NONE = 0,
  snEVENT_MOVE = 1,
  snEVENT_PRESS = 2,
  snEVENT_RELEASE = 3,
  snEVENT_SCROLL = 4,
  snEVENT_KEY = 5,
  snEVENT_RESIZE = 6,
  snEVENT_REDRAW = 7,
  snEVENT_FILESDROP = 8,
} snEvent;

//
typedef enum snItem_ {
  snITEM_END = -2,
  snITEM_SECTION = -1,
  snITEM_SEPARATOR = 0,
  snITEM_STATIC = 1,
  snITEM_BUTTON = 2,
  snITEM_CHECKINT = 3,
  snITEM_CHECKBYTE = 4,
  snITEM_RADIO = 5,
  snITEM_RADIOLINE = 6,
  snITEM_SELECT = 7,
  snITEM_SLIDERINT = 8,
  snITEM_SLIDERNUM = 9,
  snITEM_EDITINT = 10,
  snITEM_EDITNUM = 11,
  snITEM_EDITFLOAT = 12,
  snITEM_EDITTXT = 13,
  snNITEM = 14,
} snItem;

//
typedef enum snSection_ {
  snSECT_CLOSED = 0,
  snSECT_OPEN = 1,
  snSECT_FIXED = 2,
} snSection;

#endif  // SINEW_ENUMS_H_
