/* The page that the build makes of web/: site and viewer in one file. Empty where it could not be made. */
#ifndef GRAZE_WEB_VIEWER_H
#define GRAZE_WEB_VIEWER_H

extern const char web_viewer[];

#endif
