/* Pointers that walk through rows, and columns; a stranger of the old school. */
void mvt(int n, const double *a, const double *b, const double *y1, const double *y2, const double *A, double *x1,
         double *x2)
{
    for (int i = 0; i != n; i++) {
        const double *p = A + i * n, *q = y1;
        double s = 0.0;
        for (int k = 0; k < n; k++)
            s += *p++ * *q++;
        x1[i] = a[i] + s;
    }
    for (int i = 0; i < n; i++) {
        int at = i;
        double s = 0.0;
        for (int k = n; k > 0; k--) {
            s += A[at] * y2[n - k];
            at += n;
        }
        *x2++ = *b++ + s;
    }
}
