import { awsError } from '@emu/wire';

/**
 * Loads an optional package, which emu is installed without, as it is large and rarely needed.
 * @param name name of the package
 * @param load imports it
 * @throws AwsError `NotImplemented`, with the command that installs it, if it is not installed
 */
export async function loadOptional<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(name)) throw error;
    const sentence = `This needs the package ${name}, which is not installed: npm install ${name} (in a clone of emu: npx -y pnpm install)`;
    throw awsError('NotImplemented', sentence, { status: 501, cause: error });
  }
}
