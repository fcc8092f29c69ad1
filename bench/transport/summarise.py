"""summarise.py NAME=FOLDER…: logs of tcp_shares.sh → how newcomers share, as JSON.

Per number of others present when a burst begins: bytes of the newcomer over those of a mean other, in tenths of a second since it began, as long as
the others stay and nobody joins; and the spread of a pair's shares over the time that both were sending.
"""
import glob
import json
import statistics
import sys

BIN_S = 0.02
BINS_A_TENTH = 5
FEWEST = 15


def read(folder):
    log = []
    for path in glob.glob(folder + '/*.json'):
        log += [tuple(row) for row in json.load(open(path))]
    return sorted(log)


def summarise(log):
    start = log[0][0]
    spans, sent = {}, {}
    for at, worker, burst, count in log:
        first, last = spans.get((worker, burst), (at - 0.01, at))
        spans[(worker, burst)] = (min(first, at - 0.01), max(last, at))
        bins = sent.setdefault((worker, burst), {})
        index = int((at - start) / BIN_S)
        bins[index] = bins.get(index, 0) + count
    ratios = {}
    for (worker, burst), (begin, end) in spans.items():
        others = [key for key, (b, e) in spans.items() if key[0] != worker and b < begin - 0.1 and e > begin + 0.05]
        if not others:
            continue
        for step in range(150):
            at = begin + step * BIN_S
            stayed = [key for key in others if spans[key][1] > at + 0.03]
            joined = [key for key, (b, _) in spans.items() if key[0] != worker and begin < b < at]
            if at > end - 0.03 or joined or len(stayed) != len(others):
                break
            index = int((at - start) / BIN_S)
            mine = sent[(worker, burst)].get(index, 0)
            theirs = sum(sent[key].get(index, 0) for key in stayed) / len(stayed)
            ratios.setdefault((len(others), step // BINS_A_TENTH), []).append((mine, theirs))
    pairs = []
    for (worker, burst), (begin, end) in spans.items():
        for key, (b, e) in spans.items():
            low, high = max(begin, b), min(end, e)
            if key[0] <= worker or high - low < 0.3:
                continue

            def within(bins):
                return sum(v for i, v in bins.items() if low + 0.04 <= start + i * BIN_S < high - 0.04)

            mine, other = within(sent[(worker, burst)]), within(sent[key])
            if mine + other > 0:
                pairs.append(mine / (mine + other))
    newcomer = {}
    for others in sorted({key[0] for key in ratios}):
        row = []
        for tenth in range(15):
            values = ratios.get((others, tenth), [])
            if len(values) < FEWEST:
                break
            row.append(round(sum(v[0] for v in values) / max(1, sum(v[1] for v in values)), 2))
        if row:
            newcomer[str(others)] = row
    return {
        'bursts': len(spans),
        'newcomerOverEstablished': newcomer,
        'pairShareStandardDeviation': round(statistics.pstdev(pairs), 3),
        'pairs': len(pairs),
    }


result = {name: summarise(read(folder)) for name, folder in (argument.split('=') for argument in sys.argv[1:])}
print(json.dumps(result, indent=1))
