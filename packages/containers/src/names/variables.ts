import { posix } from 'node:path';
import type { AwsNames } from '@emu/core/service';
import { NAME_FILES } from './files.ts';
import type { NamesAddress } from './port.ts';

/**
 * How a program follows AWS's host names to emu: by the modules that emu loads into Node.js or Python, or else by a
 * proxy, which some clients ignore.
 */
export type NameFollowing = 'node' | 'python' | 'proxy';

/** Hosts that programs reach without the proxy: the machine itself and private networks. */
const DIRECT = [
  'localhost',
  '.localhost',
  '127.0.0.1',
  '127.0.0.0/8',
  '::1',
  '169.254.0.0/16',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '.internal',
  '.local',
].join(',');

/** Inputs for the variables of a program. */
export interface NameVariableSources {
  names: Pick<AwsNames, 'suffixes' | 'exceptions'>;
  following: NameFollowing;
  /** The program's port for the names. */
  address: NamesAddress;
  /** Directory of `installNames`, as the program sees it. */
  directory: string;
  /** Whether emu starts the program's interpreter itself, and loads Python's module. */
  ownInterpreter: boolean;
  /** Variables that the user has set, which are kept. */
  given: Readonly<Record<string, string>> | undefined;
}

/** Returns the variables by which a program reaches emu at AWS's host names. */
export function nameVariables(sources: NameVariableSources): Record<string, string> {
  const { names, following, address, directory, ownInterpreter, given = {} } = sources;
  const { host, port, proxyUrl: proxy } = address;
  const authority = posix.join(directory, NAME_FILES.authority);
  const bundle = posix.join(directory, NAME_FILES.bundle);
  const { suffixes, exceptions } = names;
  const variables: Record<string, string> = {
    _EMULATOR_AWS_NAMES: JSON.stringify({ relay: { host, port }, authority, suffixes, exceptions }),
    // Also for the children of programs in other languages.
    NODE_OPTIONS: joined(`--require ${quoted(posix.join(directory, NAME_FILES.node))}`, given.NODE_OPTIONS, ' '),
  };
  if (following === 'python' && !ownInterpreter)
    variables.PYTHONPATH = joined(posix.join(directory, NAME_FILES.site), given.PYTHONPATH, ':');
  if (following !== 'proxy') return variables;
  const proxied = {
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    NO_PROXY: DIRECT,
    no_proxy: DIRECT,
    NODE_EXTRA_CA_CERTS: authority,
    SSL_CERT_FILE: bundle,
    REQUESTS_CA_BUNDLE: bundle,
    AWS_CA_BUNDLE: bundle,
    CURL_CA_BUNDLE: bundle,
  };
  return { ...variables, ...Object.fromEntries(Object.entries(proxied).filter(([name]) => given[name] === undefined)) };
}

const joined = (own: string, given: string | undefined, separator: string): string =>
  given ? `${own}${separator}${given}` : own;

/** Quotes a path for NODE_OPTIONS. */
const quoted = (path: string): string => (/[\s"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path);
