import { type Capability, defineCapability } from '../base/capability.ts';
import type { Place } from '../resources/resource-type.ts';

/** A machine that Systems Manager manages, as whoever runs it tells. */
export interface ManagedNode {
  /** E.g. `i-0123456789abcdef0`. */
  readonly id: string;
  /** Value of its tag `Name`. */
  readonly name?: string | undefined;
  readonly platform: 'Windows' | 'Linux' | 'MacOS';
  /** E.g. `Amazon Linux`. */
  readonly platformName: string;
  readonly platformVersion: string;
  readonly agentVersion: string;
  readonly ipAddress: string;
  readonly computerName: string;
  /** Name of the role that it acts as; undefined where it has none. */
  readonly role?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly registeredAt: number;
  /** Whether its agent answers. */
  readonly online: boolean;
}

/** What a node is to run. */
export interface NodeScript {
  readonly shell: 'sh' | 'powershell';
  readonly lines: readonly string[];
  /** By default the agent's own. */
  readonly workingDirectory?: string | undefined;
  /** Aborted when it has had its time, or the command is cancelled: the node ends it then. */
  readonly signal: AbortSignal;
}

/** What a script has come to. */
export interface NodeScriptResult {
  /** Exit status. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a shell is opened for. */
export interface NodeShellRequest {
  /** Lines that are run instead of a login shell. */
  readonly commands?: readonly string[] | undefined;
  /** Whether somebody works in it: it has a terminal then, and errors are among its output. */
  readonly interactive: boolean;
  /** Name of the user that it runs as; the agent's own by default. */
  readonly user?: string | undefined;
  /** Takes what it writes. */
  output(bytes: Uint8Array): void;
  /** Takes what it writes to the standard error, where it is not interactive. */
  error(bytes: Uint8Array): void;
}

/** A shell that runs on a node. */
export interface NodeShell {
  /** Resolves with its exit status when it has ended. */
  readonly ended: Promise<number>;
  /** Types something. */
  write(bytes: Uint8Array): void;
  /** Tells how large the terminal is, in characters. */
  resize(columns: number, rows: number): void;
  /** Ends it. */
  close(): void;
}

/** The machines of accounts that run an agent of Systems Manager. */
export interface ManagedNodes {
  /** The nodes of an account and region. */
  list(place: Place): Iterable<ManagedNode> | Promise<Iterable<ManagedNode>>;
  /** Runs a script on a node that is online. @throws Error where it cannot be begun */
  run(place: Place, id: string, script: NodeScript): Promise<NodeScriptResult>;
  /**
   * Opens a shell on a node that is online; undefined where nodes have none to offer.
   * @throws Error where it cannot be begun
   */
  open?(place: Place, id: string, request: NodeShellRequest): Promise<NodeShell>;
}

/** Managed nodes. */
export const managedNodes: Capability<ManagedNodes> = defineCapability('managed nodes');
