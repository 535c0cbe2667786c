function graphOf(sources) {
  const known = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.map(({ target }) => target).filter((target) => known.has(target)),
    ]),
  );
}

// Depth first with colours: a `grey` file met again closes a cycle, and the trail shows which.
function walk(graph, start, colour, report) {
  const trail = [];
  const visit = (path) => {
    colour.set(path, 'grey');
    trail.push(path);
    for (const next of graph.get(path)) {
      if (colour.get(next) === 'grey') report(trail.slice(trail.indexOf(next)));
      else if (!colour.has(next)) visit(next);
    }
    trail.pop();
    colour.set(path, 'black');
  };
  visit(start);
}

/** Import cycles, one line each; imports that only bring types count, because they too bind files to each other. */
export function checkCycles(sources) {
  const graph = graphOf(sources);
  const colour = new Map();
  const cycles = [];
  for (const path of graph.keys()) {
    if (!colour.has(path))
      walk(graph, path, colour, (cycle) => cycles.push([...cycle, cycle[0]].join(' -> ')));
  }
  return cycles.map((cycle) => `import cycle: ${cycle}`);
}
