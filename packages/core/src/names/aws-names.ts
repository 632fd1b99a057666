import type { Socket } from 'node:net';
import type { Authority } from '../certificates/authority.ts';
import type { Certificate } from '../certificates/self-signed.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import { AWS_SUFFIXES, isAwsName, matchesHost } from './domains.ts';

/** A program whose connections to AWS's host names reach emu, such as a function. */
export interface RedirectedProgram {
  /** Its ARN, shown in the request tree. */
  readonly arn: string;
  /** Returns the id of the request that it currently serves. */
  cause(): string | undefined;
}

/** The port to which the connections of a program are redirected. */
export interface RedirectedPort {
  /** Serves a connection of the program. */
  accept(socket: Socket): void;
  /** Ends the assignment of the port to the program. */
  close(): void;
}

/** The part of the gateway that serves redirected connections. */
export interface RedirectAccess {
  /** Assigns a port to a program. */
  redirect(port: number, program: RedirectedProgram): RedirectedPort;
}

/** Where emu itself serves the requests to an AWS host name. */
export interface OwnConnection {
  readonly hostname: string;
  readonly port: number;
  /** Certificate of the authority that issues the host's certificate, in PEM. */
  readonly ca: string;
}

/** AWS's host names as seen by programs that emu runs, and by emu's own requests: which of them lead to emu. */
export interface AwsNames {
  /** Whether such names lead to emu at all. */
  readonly enabled: boolean;
  /** The suffixes of the names that lead to emu, each with a dot in front. */
  readonly suffixes: readonly string[];
  /** Names that lead to AWS nevertheless; `*.name` stands for every name below one. */
  readonly exceptions: readonly string[];
  /** Whether a host name leads to emu. @param name without a port */
  leads(name: string): boolean;
  /** Returns the certificate of emu's authority for these names, in PEM. */
  authority(): Promise<string>;
  /**
   * Assigns a port to a program, whose connections there are served as those of the program.
   * @throws Error if the emulator has no gateway
   */
  redirect(port: number, program: RedirectedProgram): RedirectedPort;
  /** Returns where a request to a URL is served by emu itself; undefined for other hosts. */
  connectionTo(url: URL): Promise<OwnConnection | undefined>;
}

/** Length limit of a host name. */
const MAX_NAME = 253;
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** Dependencies of the names. */
interface NameSources {
  readonly settings: EmulatorSettings;
  /** See `ServiceHandle.selfUrl`. */
  selfUrl(): Promise<string>;
  /** Returns the gateway; undefined before it exists. */
  access(): RedirectAccess | undefined;
}

/** The names of one emulator, with the authority for their certificates. */
export class EmulatorNames implements AwsNames {
  readonly enabled: boolean;
  readonly exceptions: readonly string[];
  readonly suffixes = AWS_SUFFIXES;
  private issuer: Promise<Authority> | undefined;

  constructor(private readonly sources: NameSources) {
    const { EMULATOR_AWS_NAMES: enabled, EMULATOR_AWS_NAMES_EXCEPT: exceptions } = sources.settings.values;
    this.enabled = enabled;
    this.exceptions = exceptions;
  }

  leads(name: string): boolean {
    if (!this.enabled) return false;
    const plain = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
    return isAwsName(plain) && !matchesHost(plain, this.exceptions);
  }

  async authority(): Promise<string> {
    return (await this.issuing()).certificate;
  }

  /** Issues a certificate for a name; undefined unless it is an AWS host name. */
  async certificateOf(name: string): Promise<Certificate | undefined> {
    if (name.length > MAX_NAME || !isAwsName(name) || !HOST_NAME.test(name)) return undefined;
    return (await this.issuing()).certificateOf(name);
  }

  redirect(port: number, program: RedirectedProgram): RedirectedPort {
    const access = this.sources.access();
    if (!access) throw new Error('the emulator has no gateway');
    return access.redirect(port, program);
  }

  async connectionTo({ hostname }: URL): Promise<OwnConnection | undefined> {
    if (!this.leads(hostname)) return undefined;
    const own = new URL(await this.sources.selfUrl());
    return { hostname: own.hostname.replace(/^\[|\]$/g, ''), port: Number(own.port), ca: await this.authority() };
  }

  /** Returns the authority, whose key never leaves this process; created when the first program needs it. */
  private issuing(): Promise<Authority> {
    this.issuer ??= import('../certificates/authority.ts').then(
      ({ Authority }) => new Authority('emu: host names of AWS on this machine', AWS_SUFFIXES),
    );
    return this.issuer;
  }
}
