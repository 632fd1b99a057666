import { invalid } from '../errors.ts';

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const PATH = /^(\/[\w.~!$&'()*+,;=:@%-]*)*$/;

/**
 * Validates the URL of an identity provider and returns it without scheme, as in IAM's records and ARNs: a host and
 * optional path, without query and fragment.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateOpenIDConnectProvider.html
 */
export function providerUrl(url: string): string {
  const [, host = '', port, path = ''] = /^https:\/\/([^/:?#]+)(:\d{1,5})?(\/.*)?$/.exec(url) ?? [];
  if (!HOST.test(host) || !PATH.test(path) || Number(port?.slice(1) ?? 0) > 65_535)
    throw invalid('Invalid Open ID Connect Provider URL');
  return url.slice('https://'.length);
}
