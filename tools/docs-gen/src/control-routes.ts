import { table } from './markdown.ts';
import type { Service } from './services.ts';

/** The part of `docs/control-routes.md` that says which service has a route. */
export function routesIndex(services: readonly Service[]): string {
  return table(
    ['Route', 'Service'],
    services.flatMap(({ name, plugin }) =>
      (plugin.control ?? []).map(({ method, path }) => [
        `\`${method} ${path}\``,
        `[${name}](services/${name}.md#control-routes)`,
      ]),
    ),
  );
}
