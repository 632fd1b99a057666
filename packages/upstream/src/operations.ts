/** An operation of a service without a model. */
export interface Operation {
  readonly name: string;
}

/** A URI template, split at its slashes: literal segments, and undefined for labels. */
interface Route {
  readonly name: string;
  readonly method: string;
  readonly segments: readonly (string | undefined)[];
  /** Whether the last label takes all further segments. */
  readonly greedy: boolean;
  /** Query parameters without which the route does not match. */
  readonly query: readonly string[];
}

/** REST operations of a service, by method and URI template. */
export class RestOperations {
  private readonly routes: Route[];

  /** @param operations method and URI template by name: `GET /model/{id}` */
  constructor(operations: Readonly<Record<string, string>>) {
    this.routes = Object.entries(operations).map(([name, route]) => routeOf(name, route));
    // The most specific route comes first: with more literals and required parameters.
    this.routes.sort((a, b) => weightOf(b) - weightOf(a));
  }

  /** Returns the operation of a request. */
  find(method: string, path: string, query: string): Operation | undefined {
    const segments = path.split('/').slice(1);
    return this.routes.find((route) => route.method === method && matches(route, segments, query));
  }
}

function routeOf(name: string, route: string): Route {
  const space = route.indexOf(' ');
  const [path = '', query = ''] = route.slice(space + 1).split('?', 2);
  const segments = path.split('/').slice(1);
  return {
    name,
    method: route.slice(0, space),
    segments: segments.map((segment) => (segment.includes('{') ? undefined : segment)),
    greedy: segments.at(-1)?.endsWith('+}') === true,
    query: query === '' ? [] : query.split('&'),
  };
}

const weightOf = ({ segments, query, greedy }: Route): number =>
  segments.filter((segment) => segment !== undefined).length * 4 + query.length * 2 - (greedy ? 1 : 0);

function matches({ segments, greedy, query }: Route, path: readonly string[], search: string): boolean {
  const given = path.at(-1) === '' && segments.at(-1) !== '' ? path.slice(0, -1) : path;
  if (greedy ? given.length < segments.length : given.length !== segments.length) return false;
  if (!segments.every((segment, index) => segment === undefined || segment === given[index])) return false;
  const parameters = search.split('&');
  return query.every((one) => parameters.some((parameter) => parameter === one || parameter.startsWith(`${one}=`)));
}
