/* The external functions of the corpus, as a user would write them. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static inline int answer(void) { return 42; }
static inline double blend(double a, double b, double t) { return a + (b - a) * t; }
static inline double scale(double a, double x) { return a * x; }
static inline unsigned char low_byte(int n) { return (unsigned char)n; }
static inline bool even(int n) { return n % 2 == 0; }
static inline int twice(int n) { return 2 * n; }

static inline int gcd(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return abs(a);
}

static inline double potential(double r, double sigma) {
    double s = pow(sigma / r, 6.0);
    return 4.0 * (s * s - s);
}
