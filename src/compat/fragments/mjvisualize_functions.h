// Duplicate data minus arrays unneeded visually.
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src);
// Duplicate model minus large visual arrays. Nullable: dest.
MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src);
