/**
 * Returns a pattern of the names by which GitHub forwards the ports of this codespace: `<name>-<port>.<domain>`.
 * Undefined outside of codespaces.
 * @see https://docs.github.com/en/codespaces/developing-in-a-codespace/default-environment-variables-for-your-codespace
 */
export function codespaceNames(env: NodeJS.ProcessEnv = process.env): RegExp | undefined {
  const { CODESPACE_NAME: name, GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: domain } = env;
  if (!name || !domain) return undefined;
  return new RegExp(`^${quoted(name)}-\\d{1,5}\\.${quoted(domain)}$`, 'i');
}

const quoted = (text: string): string => text.replace(/[^\w-]/g, '\\$&');
