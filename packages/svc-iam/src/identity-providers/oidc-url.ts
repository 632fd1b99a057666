import { invalid } from '../errors.ts';

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const PATH = /^(\/[\w.~!$&'()*+,;=:@%-]*)*$/;

/**
 * The URL of an identity provider without its scheme, which is how IAM keeps it and what its ARN ends with: a host and
 * perhaps a path; neither a query nor a fragment.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateOpenIDConnectProvider.html
 */
export function providerUrl(url: string): string {
  const [, host = '', port, path = ''] = /^https:\/\/([^/:?#]+)(:\d{1,5})?(\/.*)?$/.exec(url) ?? [];
  if (!HOST.test(host) || !PATH.test(path) || Number(port?.slice(1) ?? 0) > 65_535)
    throw invalid('Invalid Open ID Connect Provider URL');
  return url.slice('https://'.length);
}
