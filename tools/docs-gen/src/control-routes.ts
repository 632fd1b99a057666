import { table } from './markdown.ts';
import type { Service } from './services.ts';

/** Returns the part of `docs/control-routes.md` with the service of each route. */
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
