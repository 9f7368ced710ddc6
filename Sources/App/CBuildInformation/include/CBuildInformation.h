/// What is known about the build of a program. A module of its own, so that another commit compiles nothing else again.
#ifndef GRANARY_CBUILDINFORMATION_H
#define GRANARY_CBUILDINFORMATION_H

/// Returns the commit that the environment of the build has stated (`BUILD_COMMIT`), or NULL.
const char *granary_build_commit(void);

/// Returns the version of the compiler of the C modules, which is a part of the Swift toolchain: its name, version and commit.
const char *granary_build_compiler(void);

#endif
