// widgets: enough of their types to declare the functions
typedef struct mjuiThemeSpacing_ {
  int total;
} mjuiThemeSpacing;
typedef struct mjuiThemeColor_ {
  float master[3];
} mjuiThemeColor;
typedef struct mjuiItem_ {
  int type;
  char name[40];
  int state;
  void* pdata;
  int sectionid;
  int itemid;
  int userid;
} mjuiItem;
typedef struct mjuiSection_ {
  char name[40];
  int state;
  int modifier;
  int shortcut;
  int nitem;
} mjuiSection;
typedef struct mjuiDef_ {
  int type;
  char name[40];
  int state;
  void* pdata;
  char other[300];
} mjuiDef;
typedef struct mjuiState_ {
  int nrect;
  mjrRect rect[25];
  void* userdata;
  int type;
} mjuiState;
typedef int (*mjfItemEnable)(int category, void* data);
typedef struct mjUI_ {
  mjuiThemeSpacing spacing;
  mjuiThemeColor color;
  mjfItemEnable predicate;
  void* userdata;
  int nsect;
  mjuiSection sect[10];
} mjUI;
