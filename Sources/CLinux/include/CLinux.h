#ifndef GRANARY_CLINUX_H
#define GRANARY_CLINUX_H

#include <sys/epoll.h>

#endif
