import { type Capability, defineCapability } from '../base/capability.ts';

/** Hosts of functions. */
export interface FunctionHosts {
  /**
   * Returns the emulator's URL for functions: containers and Pods reach the machine by another address than its own
   * programs.
   * @returns the URL for programs of this machine, if no function can run here
   */
  emulatorUrl(): Promise<string>;
  /**
   * Reports when a function's code fails to load because of a missing module.
   * @param functionArn with or without a qualifier
   * @param listener receives the runtime's message
   * @returns a function that ends the subscription
   */
  onMissingModule(functionArn: string, listener: (problem: string) => void): () => void;
  /**
   * Returns how to install a missing module that AWS's runtimes include; undefined for other messages.
   * @param message reported by a function
   */
  missingModuleAdvice(message: string): string | undefined;
}

/** Lambda's functions, for services that need the emulator's URL for them. */
export const functionHosts: Capability<FunctionHosts> = defineCapability('hosts of functions');
