// The peer without Python: rapidfuzz-cpp's token-set ratio over pairs of lines from standard input.
//
// Built and run by run.py.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <rapidfuzz/fuzz.hpp>

int main(int count, char** arguments)
{
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 1;
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::string first, second; std::getline(std::cin, first) && std::getline(std::cin, second);)
        pairs.emplace_back(first, second);
    double sum = 0;
    std::printf("{\"seconds\": [");
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        sum = 0;
        for (const auto& [first, second] : pairs)
            sum += rapidfuzz::fuzz::token_set_ratio(first, second);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::printf("%s%.9f", round ? ", " : "", took.count());
    }
    std::printf("], \"sum\": %.6f}\n", sum);
}
