// Files as URIs ("file:///home/me/my%20model.pml") and as paths. Pure functions; results are
// malloc'ed.
#ifndef GYRE_SERVE_URI_H
#define GYRE_SERVE_URI_H

// The path of a file URI; of another kind of URI ("untitled:1"), a path that no file has: all of it
// after a slash. Clean, as by gy_path_clean.
char *gy_uri_path(const char *uri);
// Of an absolute path.
char *gy_uri_of(const char *path);
// Without `.`, `..` and doubled slashes, as text: links are not examined.
char *gy_path_clean(const char *path);

#endif
