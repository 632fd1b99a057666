import type { OperatingSystem } from '@emu/service-types/ssm';
import type { Node } from '../nodes/nodes.ts';

/** Patch Manager's classification of a node. */
export interface NodeProduct {
  readonly system: OperatingSystem;
  /** Product in patch filters, for example `WindowsServer2022`. */
  readonly product: string;
}

/** Platform names reported by agents, with the operating system and the product prefix. */
const LINUX: readonly (readonly [name: RegExp, system: OperatingSystem, product: string])[] = [
  [/ubuntu/i, 'UBUNTU', 'Ubuntu'],
  [/red hat|redhat/i, 'REDHAT_ENTERPRISE_LINUX', 'RedhatEnterpriseLinux'],
  [/sles|suse/i, 'SUSE', 'Suse'],
  [/centos/i, 'CENTOS', 'CentOS'],
  [/oracle/i, 'ORACLE_LINUX', 'OracleLinux'],
  [/raspbian/i, 'RASPBIAN', 'Raspbian'],
  [/debian/i, 'DEBIAN', 'Debian'],
  [/rocky/i, 'ROCKY_LINUX', 'RockyLinux'],
  [/alma/i, 'ALMA_LINUX', 'AlmaLinux'],
];

function amazonLinux(version: string): NodeProduct {
  if (version.startsWith('2023')) return { system: 'AMAZON_LINUX_2023', product: 'AmazonLinux2023' };
  if (version.startsWith('2022')) return { system: 'AMAZON_LINUX_2022', product: 'AmazonLinux2022' };
  if (/^2(\.|$)/.test(version)) return { system: 'AMAZON_LINUX_2', product: 'AmazonLinux2.0' };
  return { system: 'AMAZON_LINUX', product: `AmazonLinux${version}` };
}

/** Returns the operating system and product of a node; undefined if Patch Manager does not support it. */
export function productOf({ platform, platformName, platformVersion }: Node): NodeProduct | undefined {
  if (platform === 'MacOS') return { system: 'MACOS', product: `MacOS${platformVersion}` };
  if (platform === 'Windows') {
    const year = /Server (\d{4}(?: R2)?)/.exec(platformName)?.[1];
    return year === undefined ? undefined : { system: 'WINDOWS', product: `WindowsServer${year.replace(' ', '')}` };
  }
  if (/amazon linux/i.test(platformName)) return amazonLinux(platformVersion);
  const known = LINUX.find(([name]) => name.test(platformName));
  return known && { system: known[1], product: `${known[2]}${platformVersion}` };
}
