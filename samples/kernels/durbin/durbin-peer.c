/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

void durbin(int64_t N, const double r[restrict N], double x[restrict N])
{
    double *restrict z = malloc(sizeof(double[N]));
    double alpha = -r[0], beta = 1.0;
    x[0] = -r[0];
    for (int64_t k = 1; k < N; k++) {
        beta = (1.0 - alpha * alpha) * beta;
        double sum = 0.0;
        for (int64_t i = 0; i < k; i++)
            sum += r[k - i - 1] * x[i];
        alpha = -(r[k] + sum) / beta;
        for (int64_t i = 0; i < k; i++)
            z[i] = x[i] + alpha * x[k - i - 1];
        for (int64_t i = 0; i < k; i++)
            x[i] = z[i];
        x[k] = alpha;
    }
    free(z);
}
