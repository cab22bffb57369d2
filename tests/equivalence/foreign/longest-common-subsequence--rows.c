/* Two rows only. */
#include <stdint.h>
#include <string.h>
void longest_common_subsequence(int64_t M, int64_t N, const int *a, const int *b, int *length)
{
    int before[N + 1], row[N + 1];
    for (int64_t j = 0; j <= N; j++)
        before[j] = 0;
    for (int64_t i = 1; i <= M; i++) {
        row[0] = 0;
        for (int64_t j = 1; j <= N; j++) {
            const int up = before[j], left = row[j - 1];
            row[j] = a[i - 1] == b[j - 1] ? before[j - 1] + 1 : up > left ? up : left;
        }
        for (int64_t j = 0; j <= N; j++)
            before[j] = row[j];
    }
    *length = before[N];
}
