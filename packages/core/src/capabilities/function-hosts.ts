import { type Capability, defineCapability } from '../base/capability.ts';

/** Where functions run. */
export interface FunctionHosts {
  /**
   * The emulator's URL as functions reach it: containers and Pods have another address for the machine than its own programs.
   * @returns the URL at which programs of this machine reach it where no function can run here
   */
  emulatorUrl(): Promise<string>;
  /**
   * Tells when code of a function needs a module that is not there, so that it can answer nobody.
   * @param functionArn with or without a qualifier
   * @param told is given what the runtime says is missing
   * @returns ends it
   */
  onMissingModule(functionArn: string, told: (problem: string) => void): () => void;
}

/** Lambda's functions, for what is given to them to answer by. */
export const functionHosts: Capability<FunctionHosts> = defineCapability('hosts of functions');
