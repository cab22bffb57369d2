/* Two rows in turn. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void longest_common_subsequence(long M, long N, const int *a, const int *b, int *length)
{
    int L[2][N + 1];
    for (long j = 0; j <= N; j++)
        L[0][j] = 0;
    for (long i = 1; i <= M; i++) {
        int(*now) = L[i % 2];
        int(*old) = L[(i - 1) % 2];
        now[0] = 0;
        for (long j = 1; j <= N; j++) {
            if (a[i - 1] == b[j - 1])
                now[j] = old[j - 1] + 1;
            else
                now[j] = MAX(old[j], now[j - 1]);
        }
    }
    *length = L[M % 2][N];
}
