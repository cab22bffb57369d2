/* With the two halves exchanged in place by a buffer. */
#include <stdint.h>
void durbin(int64_t N, const double *r, double *x)
{
    double buffer[N];
    double alpha, beta;
    x[0] = -r[0];
    alpha = -r[0];
    beta = 1.0;
    for (int64_t k = 1; k < N; k++) {
        beta = (1.0 - alpha * alpha) * beta;
        double s = 0.0;
        for (int64_t i = 0; i < k; i++)
            s = s + r[k - 1 - i] * x[i];
        alpha = -(r[k] + s) / beta;
        for (int64_t i = 0; i < k; i++)
            buffer[i] = x[i];
        for (int64_t i = 0; i < k; i++)
            x[i] = buffer[i] + alpha * buffer[k - i - 1];
        x[k] = alpha;
    }
}
