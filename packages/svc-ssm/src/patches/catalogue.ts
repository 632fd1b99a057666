import type { Patch } from '@emu/service-types/ssm';

/** A patch with its patch set. */
export interface KnownPatch {
  readonly set: 'OS' | 'APPLICATION';
  readonly patch: Readonly<Patch>;
}

/** Text of titles and descriptions that marks patches as emulated. */
const EMULATED = 'Emulated patch';

type WindowsRow = readonly [title: string, classification: string, severity: string, released: string];

/** Patches of each Windows Server version. */
const WINDOWS: readonly WindowsRow[] = [
  ['Servicing Stack Update', 'CriticalUpdates', 'Critical', '2025-01-14'],
  ['Cumulative Update', 'SecurityUpdates', 'Critical', '2025-03-11'],
  ['Cumulative Update for .NET Framework', 'SecurityUpdates', 'Important', '2025-05-13'],
  ['Cumulative Update Preview', 'Updates', 'Unspecified', '2025-06-24'],
  ['Malicious Software Removal Tool', 'UpdateRollups', 'Unspecified', '2025-07-08'],
  ['Security Intelligence Update', 'DefinitionUpdates', 'Unspecified', '2025-08-12'],
  ['Cumulative Update', 'SecurityUpdates', 'Important', '2026-10-13'],
];

/** Patches of each application. */
const APPLICATIONS: readonly WindowsRow[] = [
  ['Security Update', 'SecurityUpdates', 'Important', '2025-04-08'],
  ['Update', 'CriticalUpdates', 'Unspecified', '2025-06-10'],
];

/** Microsoft products with family and patch set; the row index determines the patch numbers. */
const PRODUCTS = [
  ['WindowsServer2016', 'Windows', 'OS'],
  ['WindowsServer2019', 'Windows', 'OS'],
  ['WindowsServer2022', 'Windows', 'OS'],
  ['WindowsServer2025', 'Windows', 'OS'],
  ['Office 2013', 'Office', 'APPLICATION'],
  ['Microsoft SQL Server 2019', 'SQLServer', 'APPLICATION'],
] as const;

const day = (date: string): Date => new Date(`${date}T00:00:00Z`);

const windowsPatches = PRODUCTS.flatMap(([Product, ProductFamily, set], row) =>
  (set === 'OS' ? WINDOWS : APPLICATIONS).map(([title, Classification, MsrcSeverity, released], column): KnownPatch => {
    const number = `99${row + 1}00${column + 1}0`;
    return {
      set,
      patch: {
        Id: `00000000-0000-4000-8000-00000${number}`,
        ReleaseDate: day(released),
        Title: `${EMULATED}: ${title} for ${Product} (KB${number})`,
        Description: `${EMULATED} in place of a ${title} of ${Product}.`,
        ContentUrl: `https://support.microsoft.com/en-us/kb/${number}`,
        Vendor: 'Microsoft',
        ProductFamily,
        Product,
        Classification,
        MsrcSeverity,
        KbNumber: `KB${number}`,
        MsrcNumber: '',
        Language: 'All',
      },
    };
  }),
);

type LinuxRow = readonly [
  name: string,
  epoch: number,
  version: string,
  classification: string,
  severity: string,
  released: string,
];

/** Patches of each Amazon Linux version. */
const LINUX: readonly LinuxRow[] = [
  ['kernel', 0, '4.14.355', 'Security', 'Important', '2025-01-22'],
  ['openssl', 1, '1.0.2k', 'Security', 'Critical', '2025-02-05'],
  ['curl', 0, '8.3.0', 'Security', 'Medium', '2025-03-19'],
  ['tzdata', 0, '2025b', 'Bugfix', 'Low', '2025-04-16'],
  ['php', 0, '5.4.16', 'Security', 'Low', '2025-05-21'],
];

/** Amazon products with repository, release suffix and advisory prefix. */
const LINUX_PRODUCTS = [
  ['AmazonLinux2018.03', 'Amazon Linux', 'Updates', 'amzn1', 'ALAS-2025'],
  ['AmazonLinux2.0', 'Amazon Linux 2', 'Core', 'amzn2', 'ALAS2-2025'],
] as const;

const linuxPatches = LINUX_PRODUCTS.flatMap(([Product, family, Repository, suffix, advisories], row) =>
  LINUX.map(([Name, Epoch, Version, Classification, Severity, released], column): KnownPatch => {
    const number = `99${row + 1}${column + 1}`;
    return {
      set: 'OS',
      patch: {
        ReleaseDate: day(released),
        Title: `${EMULATED} of ${Name}`,
        Description: `${EMULATED} of ${Name} for ${Product}.`,
        Vendor: 'Amazon',
        ProductFamily: family,
        Product,
        Classification,
        Severity,
        Name,
        Epoch,
        Version,
        Release: `1.${suffix}`,
        Arch: 'x86_64',
        Repository,
        AdvisoryIds: Classification === 'Security' ? [`${advisories}-${number}`] : [],
        CVEIds: Classification === 'Security' ? [`CVE-2025-${number}0000`] : [],
        BugzillaIds: Classification === 'Security' ? [] : [`990000${number}`],
      },
    };
  }),
);

/**
 * Emulated patches; no vendor has published patches with these numbers.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_Patch.html
 */
export const CATALOGUE = { windows: windowsPatches, linux: linuxPatches } as const;
