/** The beginning of a whole URL, which clients send that take emu for a proxy; with its authority. */
const WHOLE_URL = /^https?:\/\/([^/?#]*)/i;

const isPath = (target: string): boolean => target.charCodeAt(0) === 47;

/** The authority of a request target; undefined where that is no whole URL. */
export function authorityOf(target: string): string | undefined {
  return isPath(target) ? undefined : WHOLE_URL.exec(target)?.[1];
}

/** Path and query of a request target, which begin with a slash. */
export function originForm(target: string): string {
  if (isPath(target)) return target;
  const rest = target.slice(WHOLE_URL.exec(target)?.[0].length ?? 0);
  return isPath(rest) ? rest : `/${rest}`;
}
