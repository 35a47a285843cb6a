"""HTTP for every feature: permissions, errors, rate limits, headers, logs, metrics and probes."""
