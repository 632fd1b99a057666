/** The start of a whole URL with its authority. Clients send it to proxies. */
const WHOLE_URL = /^https?:\/\/([^/?#]*)/i;

const isPath = (target: string): boolean => target.charCodeAt(0) === 47;

/** Returns the authority of a request target; undefined unless it is a whole URL. */
export function authorityOf(target: string): string | undefined {
  return isPath(target) ? undefined : WHOLE_URL.exec(target)?.[1];
}

/** Returns the path and query of a request target, with a leading slash. */
export function originForm(target: string): string {
  if (isPath(target)) return target;
  const rest = target.slice(WHOLE_URL.exec(target)?.[0].length ?? 0);
  return isPath(rest) ? rest : `/${rest}`;
}
