#include <arm_neon.h>

double s(long n, const double *x, const double *y)
{
    float64x2_t sum = vdupq_n_f64(0.0);
    long i = 0;
    for (; i + 2 <= n; i += 2) {
        float64x2_t a = vld1q_f64(x + i), b = vld1q_f64(y + i);
        sum = vfmaq_f64(sum, a, b);
    }
    double all = vaddvq_f64(sum);
    for (; i < n; i++)
        all += x[i] * y[i];
    return all;
}
