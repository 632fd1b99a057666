import { awsError } from '@emu/wire';

/**
 * Loads a package that emu is installed without, as it is large and few need it.
 * @param name the package's
 * @param load imports it
 * @throws AwsError `NotImplemented`, with the command that installs it, where it is not there
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
