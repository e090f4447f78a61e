// Formulas of spatial algebra, for numbers of type SN_NUMBER.
//
// spatial.h has them for one body, spatial_four.h for four bodies at a time: the operations and their order
// are the same, and so are the bits. SN_FORMULA(name) begins the definition of a function.

// Results are collected before they are stored: the compiler may not assume that they lie apart from
// the arguments.

// [w; v] x [a; b] = [w x a; w x b + v x a]; res aliases neither
SN_FORMULA(crossMotion)(SN_NUMBER res[6], const SN_NUMBER vel[6], const SN_NUMBER v[6]) {
  SN_NUMBER r0 = -vel[2] * v[1] + vel[1] * v[2];
  SN_NUMBER r1 = vel[2] * v[0] - vel[0] * v[2];
  SN_NUMBER r2 = -vel[1] * v[0] + vel[0] * v[1];
  SN_NUMBER r3 = (-vel[2] * v[4] + vel[1] * v[5]) + (-vel[5] * v[1] + vel[4] * v[2]);
  SN_NUMBER r4 = (vel[2] * v[3] - vel[0] * v[5]) + (vel[5] * v[0] - vel[3] * v[2]);
  SN_NUMBER r5 = (-vel[1] * v[3] + vel[0] * v[4]) + (-vel[4] * v[0] + vel[3] * v[1]);
  res[0] = r0;
  res[1] = r1;
  res[2] = r2;
  res[3] = r3;
  res[4] = r4;
  res[5] = r5;
}

// [w; v] x* [t; f] = [w x t + v x f; w x f]; res aliases neither
SN_FORMULA(crossForce)(SN_NUMBER res[6], const SN_NUMBER vel[6], const SN_NUMBER f[6]) {
  SN_NUMBER r0 = (-vel[2] * f[1] + vel[1] * f[2]) + (-vel[5] * f[4] + vel[4] * f[5]);
  SN_NUMBER r1 = (vel[2] * f[0] - vel[0] * f[2]) + (vel[5] * f[3] - vel[3] * f[5]);
  SN_NUMBER r2 = (-vel[1] * f[0] + vel[0] * f[1]) + (-vel[4] * f[3] + vel[3] * f[4]);
  SN_NUMBER r3 = -vel[2] * f[4] + vel[1] * f[5];
  SN_NUMBER r4 = vel[2] * f[3] - vel[0] * f[5];
  SN_NUMBER r5 = -vel[1] * f[3] + vel[0] * f[4];
  res[0] = r0;
  res[1] = r1;
  res[2] = r2;
  res[3] = r3;
  res[4] = r4;
  res[5] = r5;
}

// com-based inertia of a body: diagonal inertia in frame mat, mass at offset dif from the com
SN_FORMULA(inertCom)
(SN_NUMBER res[10], const SN_NUMBER inert[3], const SN_NUMBER mat[9], const SN_NUMBER dif[3],
 const SN_NUMBER* mass) {
  // R diag(J) R'
  SN_NUMBER s[9] = {mat[0] * inert[0], mat[3] * inert[0], mat[6] * inert[0],
                    mat[1] * inert[1], mat[4] * inert[1], mat[7] * inert[1],
                    mat[2] * inert[2], mat[5] * inert[2], mat[8] * inert[2]};
  SN_NUMBER xx = mat[0] * s[0] + mat[1] * s[3] + mat[2] * s[6];
  SN_NUMBER yy = mat[3] * s[1] + mat[4] * s[4] + mat[5] * s[7];
  SN_NUMBER zz = mat[6] * s[2] + mat[7] * s[5] + mat[8] * s[8];
  SN_NUMBER xy = mat[0] * s[1] + mat[1] * s[4] + mat[2] * s[7];
  SN_NUMBER xz = mat[0] * s[2] + mat[1] * s[5] + mat[2] * s[8];
  SN_NUMBER yz = mat[3] * s[2] + mat[4] * s[5] + mat[5] * s[8];
  // parallel axes: m (d.d E - d d')
  SN_NUMBER x = dif[0], y = dif[1], z = dif[2];
  res[0] = xx + *mass * (y * y + z * z);
  res[1] = yy + *mass * (x * x + z * z);
  res[2] = zz + *mass * (x * x + y * y);
  res[3] = xy - *mass * x * y;
  res[4] = xz - *mass * x * z;
  res[5] = yz - *mass * y * z;
  res[6] = *mass * x;
  res[7] = *mass * y;
  res[8] = *mass * z;
  res[9] = *mass;
}

// inertia times motion: [I w + c x v; m v - c x w]; res does not alias v
SN_FORMULA(mulInertVec)(SN_NUMBER res[6], const SN_NUMBER i[10], const SN_NUMBER v[6]) {
  res[0] = i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5];
  res[1] = i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5];
  res[2] = i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4];
  res[3] = i[8] * v[1] - i[7] * v[2] + i[9] * v[3];
  res[4] = i[6] * v[2] - i[8] * v[0] + i[9] * v[4];
  res[5] = i[7] * v[0] - i[6] * v[1] + i[9] * v[5];
}

// a point of a frame, in the world: pos + mat point; res aliases none
SN_FORMULA(framePoint)
(SN_NUMBER res[3], const SN_NUMBER pos[3], const SN_NUMBER mat[9], const SN_NUMBER point[3]) {
  res[0] = (mat[0] * point[0] + mat[1] * point[1] + mat[2] * point[2]) + pos[0];
  res[1] = (mat[3] * point[0] + mat[4] * point[1] + mat[5] * point[2]) + pos[1];
  res[2] = (mat[6] * point[0] + mat[7] * point[1] + mat[8] * point[2]) + pos[2];
}
