#include "math/sparse.h"

#include "base/assert.h"
#include "math/pattern.h"

// returns 1 when nnz entries are not enough: what fits is written
int snu_dense2sparse(snReal* res, const snReal* mat, int nr, int nc, int* rownnz, int* rowadr,
                     int* colind, int nnz) {
  SN_ASSERT(nr >= 0 && nc >= 0);
  if (nnz <= 0) return 1;
  int at = 0;
  for (int r = 0; r < nr; r++) {
    rownnz[r] = 0;
    rowadr[r] = at;
    for (int c = 0; c < nc; c++) {
      snReal value = mat[(size_t)r * nc + c];
      if (value == 0) continue;
      if (at >= nnz) return 1;
      rownnz[r]++;
      colind[at] = c;
      res[at++] = value;
    }
  }
  return 0;
}

void snu_sparse2dense(snReal* res, const snReal* mat, int nr, int nc, const int* rownnz,
                      const int* rowadr, const int* colind) {
  for (int r = 0; r < nr; r++) {
    snReal* row = res + (size_t)r * nc;
    snu_zero(row, nc);
    for (int k = 0; k < rownnz[r]; k++) row[colind[rowadr[r] + k]] = mat[rowadr[r] + k];
  }
}

void sn_mulMatVecSparse(snReal* res, const snReal* mat, const snReal* vec, int nr,
                        const int* rownnz, const int* rowadr, const int* colind) {
  SN_ASSERT(res != vec);
  SN_FOR(r, nr) {
    int adr = rowadr[r], nnz = rownnz[r];
    res[r] = nnz == 1 ? 0 + mat[adr] * vec[colind[adr]]
                      : sn_dotSparse(mat + adr, colind + adr, nnz, vec);
  }
  SN_SYNC();
}

// Rows of one entry, a lane for each column of a few blocks. Lanes load as many rows at once as there are lanes; then every
// lane sees each of these by a warp shuffle and adds it if it is in its column. Returns 0, having done nothing, when
// there are longer rows.
static int mulMatTVecLanes(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc,
                           const int* rownnz, const int* rowadr, const int* colind) {
  enum { MOST_BLOCKS = 4 };
  int lane = SN_LANE, lanes = SN_LANES, longer = 0;
  SN_ASSERT(lanes > 1);
  if (nc > MOST_BLOCKS * lanes) return 0;
  SN_FOR(r, nr) longer |= rownnz[r] > 1;
  if (sn_teamAny(longer)) return 0;
  SN_FOR(c, nr ? 0 : nc) res[c] = 0;
  for (int base = 0; base < nr; base += lanes) {
    int r = base + lane, count = nr - base < lanes ? nr - base : lanes, column = -1;
    snReal product = 0;
    if (r < nr && rownnz[r] && vec[r] != 0) {
      column = colind[rowadr[r]];
      product = mat[rowadr[r]] * vec[r];
    }
    for (int own = lane; own - lane < nc; own += lanes) {
      snReal sum = base && own < nc ? res[own] : 0;
      for (int k = 0; k < count; k++) {
        int to = sn_warpFromInt(column, k);
        snReal term = sn_warpFrom(product, k);
        if (to == own) sum += term;
      }
      if (own < nc) res[own] = sum;
    }
  }
  SN_SYNC();
  return 1;
}

// Rows of one entry: each lane adds up its own columns, without waiting for others. Longer rows are shared entry by entry.
void sn_mulMatTVecSparse(snReal* res, const snReal* mat, const snReal* vec, int nr, int nc,
                         const int* rownnz, const int* rowadr, const int* colind) {
  SN_ASSERT(sn_isPattern(nr, nc, rownnz, rowadr, colind));
  if (SN_LANES > 1 && mulMatTVecLanes(res, mat, vec, nr, nc, rownnz, rowadr, colind)) return;
  sn_zeroShared(res, nc);
  int lane = SN_LANE, others = SN_LANES - 1;
  SN_ASSERT((SN_LANES & others) == 0);  // a column's lane is its lowest bits
  for (int r = 0; r < nr; r++) {
    int adr = rowadr[r], nnz = rownnz[r];
    snReal scale = vec[r];
    if (scale == 0 || !nnz) continue;
    if (nnz == 1) {
      int column = colind[adr];
      if ((column & others) == lane) res[column] += mat[adr] * scale;
    } else {
      SN_SYNC();
      SN_FOR(k, nnz) res[colind[adr + k]] += mat[adr + k] * scale;
      SN_SYNC();
    }
  }
  SN_SYNC();
}

int sn_combineSparse(snReal* dst, int* dst_ind, int dst_nnz, snReal a, const snReal* src,
                     const int* src_ind, int src_nnz, snReal b) {
  SN_ASSERT(sn_isAscending(dst_ind, dst_nnz, 0x7fffffff));
  SN_ASSERT(sn_isAscending(src_ind, src_nnz, 0x7fffffff));
  // size of the union
  int n = dst_nnz + src_nnz;
  for (int i = 0, j = 0; i < dst_nnz && j < src_nnz;) {
    if (dst_ind[i] == src_ind[j]) n--;
    int step = dst_ind[i] <= src_ind[j];
    j += src_ind[j] <= dst_ind[i];
    i += step;
  }

  // merge from the end, so that no entry is overwritten before it is read
  int i = dst_nnz - 1, j = src_nnz - 1;
  for (int k = n - 1; k >= 0; k--) {
    if (j < 0 || (i >= 0 && dst_ind[i] > src_ind[j])) {
      dst[k] = a * dst[i];
      dst_ind[k] = dst_ind[i--];
    } else if (i < 0 || dst_ind[i] < src_ind[j]) {
      dst[k] = b * src[j];
      dst_ind[k] = src_ind[j--];
    } else {
      dst[k] = a * dst[i--] + b * src[j];
      dst_ind[k] = src_ind[j--];
    }
  }
  SN_ASSERT(i < 0 && j < 0 && sn_isAscending(dst_ind, n, 0x7fffffff));
  return n;
}
