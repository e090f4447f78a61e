// sizes of widgets
#define mjMAXUISECT 10
#define mjMAXUIITEM 200
#define mjMAXUITEXT 300
#define mjMAXUINAME 40
#define mjMAXUIMULTI 35
#define mjMAXUIEDIT 7
#define mjMAXUIRECT 25

// keys
#define mjKEY_ESCAPE 256
#define mjKEY_ENTER 257
#define mjKEY_TAB 258
#define mjKEY_BACKSPACE 259
#define mjKEY_INSERT 260
#define mjKEY_DELETE 261
#define mjKEY_RIGHT 262
#define mjKEY_LEFT 263
#define mjKEY_DOWN 264
#define mjKEY_UP 265
#define mjKEY_PAGE_UP 266
#define mjKEY_PAGE_DOWN 267
#define mjKEY_HOME 268
#define mjKEY_END 269
#define mjKEY_F1 290
#define mjKEY_F2 291
#define mjKEY_F3 292
#define mjKEY_F4 293
#define mjKEY_F5 294
#define mjKEY_F6 295
#define mjKEY_F7 296
#define mjKEY_F8 297
#define mjKEY_F9 298
#define mjKEY_F10 299
#define mjKEY_F11 300
#define mjKEY_F12 301
#define mjKEY_NUMPAD_0 320
#define mjKEY_NUMPAD_1 321
#define mjKEY_NUMPAD_2 322
#define mjKEY_NUMPAD_3 323
#define mjKEY_NUMPAD_4 324
#define mjKEY_NUMPAD_5 325
#define mjKEY_NUMPAD_6 326
#define mjKEY_NUMPAD_7 327
#define mjKEY_NUMPAD_8 328
#define mjKEY_NUMPAD_9 329

// widgets: enough of their types to declare the functions
typedef struct mjuiThemeSpacing_ {
  int total;
} mjuiThemeSpacing;
typedef struct mjuiThemeColor_ {
  float master[3];
} mjuiThemeColor;
typedef struct mjuiItem_ {
  int type;
  char name[mjMAXUINAME];
  int state;
  void* pdata;
  int sectionid;
  int itemid;
  int userid;
} mjuiItem;
typedef struct mjuiSection_ {
  char name[mjMAXUINAME];
  int state;
  int modifier;
  int shortcut;
  int nitem;
} mjuiSection;
typedef struct mjuiDef_ {
  int type;
  char name[mjMAXUINAME];
  int state;
  void* pdata;
  char other[mjMAXUITEXT];
} mjuiDef;
typedef struct mjuiState_ {
  int nrect;
  mjrRect rect[mjMAXUIRECT];
  void* userdata;
  int type;
} mjuiState;
typedef int (*mjfItemEnable)(int category, void* data);
typedef struct mjUI_ {
  mjuiThemeSpacing spacing;
  mjuiThemeColor color;
  mjfItemEnable predicate;
  void* userdata;
  int rectid;
  int auxid;
  int radiocol;
  int width;
  int height;
  int maxheight;
  int scroll;
  int mousesect;
  int mouseitem;
  int mousehelp;
  int mouseclicks;
  int mousesectcheck;
  int editsect;
  int edititem;
  int editcursor;
  int editscroll;
  char edittext[mjMAXUITEXT];
  mjuiItem* editchanged;
  int nsect;
  mjuiSection sect[mjMAXUISECT];
} mjUI;
