/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

/* The table of the textbook, in time proportional to N W: the access that depends on the weights, which C can say. */
void knapsack(int64_t N, int64_t W, const int weight[restrict N], const int gain[restrict N], int *restrict best)
{
    int(*restrict K)[W + 1] = malloc(sizeof(int[N + 1][W + 1]));
    for (int64_t w = 0; w <= W; w++)
        K[0][w] = 0;
    for (int64_t i = 1; i <= N; i++)
        for (int64_t w = 0; w <= W; w++) {
            K[i][w] = K[i - 1][w];
            if (weight[i - 1] <= w && K[i - 1][w - weight[i - 1]] + gain[i - 1] > K[i][w])
                K[i][w] = K[i - 1][w - weight[i - 1]] + gain[i - 1];
        }
    *best = K[N][W];
    free(K);
}
