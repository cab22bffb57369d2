/* Executes CUDA without a GPU: a program is compiled with the headers of `include`, and linked with this file.
 *
 * The threads of a block are fibers of one thread of the system; the order in which they go on, and that of blocks, is
 * drawn from a seed. Each access comes through the hooks of -fsanitize=thread, so races are found from what orders two
 * accesses, in whatever order they were executed.
 */
#define ALPHAZ_RUNTIME
#include "parts/hooks.h"
