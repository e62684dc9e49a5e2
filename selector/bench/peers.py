"""What others would run, written from how they are described, timed by itself.

One request a line on stdin, one answer a line on stdout, both JSON. A pool is a
file of float32: the unit vectors row by row, then the unit query.
"""

import ctypes
import heapq
import json
import sys
import time

import numpy as np


def read_pool(request):
    n, d = request["n"], request["d"]
    flat = np.fromfile(request["vectors"], dtype=np.float32)
    return flat[: n * d].reshape(n, d), flat[n * d :]


def ssyrk(request):
    """The Gram matrix by OpenBLAS: one triangle."""
    vectors, _ = read_pool(request)
    n, d = vectors.shape
    gram = np.zeros((n, n), dtype=np.float32)
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.openblas_set_num_threads(1)
    row_major, upper, no_trans = 101, 121, 111
    pointer = lambda a: a.ctypes.data_as(ctypes.c_void_p)

    def work():
        blas.cblas_ssyrk(
            row_major, upper, no_trans, n, d, ctypes.c_float(1), pointer(vectors), d, ctypes.c_float(0), pointer(gram), n
        )

    work()
    start = time.perf_counter()
    work()
    took = time.perf_counter() - start
    return took, float(np.triu(gram).sum(dtype=np.float64))


def weights(vectors, query):
    """w[j, i]: what facility j gives client i, one row a facility."""
    relevance = np.maximum(vectors @ query, 0)
    return np.maximum(vectors @ vectors.T, 0) * relevance


def lazy_greedy(w, tokens, budget, per_token, first):
    """CELF: a gain is computed again only when it is at the top of the heap."""
    best = np.zeros(w.shape[1], dtype=np.float32)
    cost = np.maximum(tokens, 1) if per_token else np.ones_like(tokens)
    heap = [(-gain / cost[j], j, 0) for j, gain in enumerate(first)]
    heapq.heapify(heap)
    chosen, left = [], budget
    while heap:
        key, j, seen = heapq.heappop(heap)
        if tokens[j] > left:
            continue
        if seen < len(chosen):
            gain = float(np.maximum(w[j] - best, 0).sum())
            heapq.heappush(heap, (-gain / cost[j], j, len(chosen)))
            continue
        if key >= 0:
            break
        chosen.append(j)
        left -= tokens[j]
        np.maximum(best, w[j], out=best)
    return float(best.sum(dtype=np.float64)), chosen


def celf(request):
    """Budgeted facility location, best of both greedies and the best single."""
    vectors, query = read_pool(request)
    tokens = np.array(request["tokens"])
    begin = time.perf_counter()
    w = weights(vectors, query)
    start = time.perf_counter()
    first = w.sum(axis=1)
    answers = [lazy_greedy(w, tokens, request["budget"], per_token, first.tolist()) for per_token in (True, False)]
    answers.append((float(np.max(first[tokens <= request["budget"]], initial=0)), []))
    end = time.perf_counter()
    value = max(answers)[0]
    return (end - begin if request.get("whole") else end - start), value


def mmr(request):
    """LangChain's loop: the similarity to all that was selected anew in each step."""
    vectors, query = read_pool(request)
    trade = 0.5

    def cosine(a, b):
        norms = np.outer(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))
        return np.dot(a, b.T) / norms

    start = time.perf_counter()
    to_query = cosine(query[None, :], vectors)[0]
    ranked = [int(np.argmax(to_query))]
    selected = np.array([vectors[ranked[0]]])
    while len(ranked) < request["k"]:
        top, place = -np.inf, -1
        to_selected = cosine(vectors, selected)
        for i, score in enumerate(to_query):
            if i in ranked:
                continue
            value = trade * score - (1 - trade) * max(to_selected[i])
            if value > top:
                top, place = value, i
        ranked.append(place)
        selected = np.append(selected, [vectors[place]], axis=0)
    return time.perf_counter() - start, ranked


peers = {"ssyrk": ssyrk, "celf": celf, "mmr": mmr}

for line in sys.stdin:
    request = json.loads(line)
    seconds, answer = peers[request["peer"]](request)
    print(json.dumps({"seconds": seconds, "answer": answer}), flush=True)
