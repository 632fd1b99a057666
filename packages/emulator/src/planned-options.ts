import { serviceContainerOptions } from '@emu/containers/options';
import { address, boolean, derived, matching, optional, text, withDefault } from '@emu/core/options';
import type { DeclaredOptions, SettingsView } from '@emu/core/service';

/*
 * Options of services that emu does not emulate yet. They are accepted with a warning that they have no effect, and
 * move into the manifest of their service once it exists.
 */

const DNS_OPTIONS = {
  EMULATOR_DNS: withDefault('false', {
    flag: 'dns',
    schema: boolean,
    description: 'Run a DNS resolver that answers from the emulated zones.',
    boolean: true,
    services: ['route53'],
  }),
  EMULATOR_DNS_ADDR: withDefault('0.0.0.0:53', {
    flag: 'dns-addr',
    schema: address,
    description: 'Address of the resolver, UDP and TCP; only with --dns. Port 53 requires root.',
    placeholder: 'HOST:PORT',
    services: ['route53'],
  }),
  EMULATOR_DNS_UPSTREAM: optional("the system's first nameserver that is not a loopback address, else 8.8.8.8:53", {
    flag: 'dns-upstream',
    schema: address,
    description: 'Resolver for names outside of the emulated zones; only with --dns.',
    placeholder: 'HOST:PORT',
    services: ['route53'],
  }),
};

const dnsOptions: DeclaredOptions<typeof DNS_OPTIONS> = {
  table: DNS_OPTIONS,
  check(settings) {
    if (settings.of(DNS_OPTIONS).EMULATOR_DNS) return undefined;
    const name = ['EMULATOR_DNS_ADDR', 'EMULATOR_DNS_UPSTREAM'].find(settings.has);
    return name && `${settings.by(name)} can be used only with --dns (EMULATOR_DNS).`;
  },
};

const CLOUDFRONT_OPTIONS = {
  EMULATOR_CLOUDFRONT_DISABLE_DATAPLANE: withDefault('false', {
    schema: boolean,
    description: 'Do not serve distributions on the main address.',
    services: ['cloudfront'],
  }),
};

const image = text('the name of a container image');
const PUBLIC_ALPINE = 'built locally; a public alpine 3.20 image on Kubernetes';
const isPersistent = ({ values }: SettingsView): boolean => values.EMULATOR_STORAGE_MODE === 'persistent';

const ECS_OPTIONS = {
  EMULATOR_ECS_CREDS_HELPER_IMAGE: optional(PUBLIC_ALPINE, {
    schema: image,
    description: "Image that routes a task's 169.254.170.2 to emu; requires sh, getent, awk, and nft or iptables.",
    services: ['ecs'],
  }),
};

const RDS_OPTIONS = {
  EMULATOR_PERSIST_DB_VOLUMES: derived('on in persistent mode', {
    schema: boolean,
    description: 'Keep the data of relational databases in a named volume.',
    services: ['rds'],
    from: isPersistent,
  }),
};

const EC2_OPTIONS = {
  EMULATOR_EC2_DEFAULT_IMAGE: withDefault('amazonlinux:2023', {
    schema: image,
    description: 'Image of instances: any OS image with tail and sh.',
    services: ['ec2'],
  }),
  EMULATOR_EC2_HELPER_IMAGE: optional(PUBLIC_ALPINE, {
    schema: image,
    description: 'Sidecar image of instances; requires sh, getent, awk, nginx, socat, and nft or iptables.',
    services: ['ec2'],
  }),
  EMULATOR_PERSIST_EC2_VOLUMES: derived('on in persistent mode', {
    schema: boolean,
    description: "Keep each instance's data directory in a named volume.",
    services: ['ec2'],
    from: isPersistent,
  }),
  EMULATOR_EC2_INSTANCE_DATA_DIR: withDefault('/var/lib/emulator/ec2', {
    schema: matching(/^\//, 'an absolute path'),
    description: 'Directory of an instance that is stored in its volume.',
    services: ['ec2'],
  }),
};

/** Options of planned services without containers. */
export const PLANNED_OPTIONS: readonly DeclaredOptions[] = [dnsOptions, { table: CLOUDFRONT_OPTIONS }];

/** Options of planned services with containers. */
export const PLANNED_CONTAINER_OPTIONS: readonly DeclaredOptions[] = [
  ...['ecs', 'rds', 'elasticache', 'ec2'].map(serviceContainerOptions),
  { table: ECS_OPTIONS },
  { table: RDS_OPTIONS },
  { table: EC2_OPTIONS },
];
