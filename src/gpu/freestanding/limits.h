#pragma once
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
