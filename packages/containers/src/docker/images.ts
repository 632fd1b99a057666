import { createInterface } from 'node:readline';
import type { ContainerImages, ContainerSpec } from '@emu/core/service';
import { ContainerError } from '@emu/core/service';
import { pack } from 'tar-stream';
import type { RuntimeEngine } from './engine.ts';
import { engineWords, isMissing, requestError } from './errors.ts';
import { registryAuth } from './registry-auth.ts';

/** Limit of build output lines in an error. */
const BUILD_LINES = 20;

/** One line of an engine's progress output for a pull or a build. */
interface Progress {
  stream?: string;
  error?: string;
  errorDetail?: { message?: string };
}

/** Images of an engine. */
export class DockerImages implements ContainerImages {
  /** Pulls and builds in progress, shared by instances that need the same image. */
  private readonly pulls = new Map<string, Promise<void>>();

  constructor(private readonly engine: RuntimeEngine) {}

  async find(image: string): Promise<string | undefined> {
    try {
      return (await this.engine.docker.getImage(image).inspect()).Id;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw requestError(this.engine, error);
    }
  }

  pull(image: string, { platform }: { platform?: string } = {}): Promise<void> {
    const key = `${image} ${platform ?? ''}`;
    let pull = this.pulls.get(key);
    if (!pull) {
      pull = this.fetch(image, platform).finally(() => this.pulls.delete(key));
      this.pulls.set(key, pull);
    }
    return pull;
  }

  async build(image: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    const archive = pack();
    for (const [name, content] of Object.entries(files))
      archive.entry({ name, mode: 0o755 }, typeof content === 'string' ? content : Buffer.from(content));
    archive.finalize();
    const lines: string[] = [];
    try {
      const stream = await this.engine.docker.buildImage(archive as unknown as NodeJS.ReadableStream, { t: image });
      await follow(stream, ({ stream: line }) => {
        if (!line?.trim()) return;
        lines.push(line.trim());
        if (lines.length > BUILD_LINES) lines.shift();
      });
    } catch (error) {
      const reason = [...lines, engineWords(error)].join('\n');
      throw new ContainerError('image', `${image} cannot be built: ${reason}`, { cause: error });
    }
  }

  /**
   * Ensures that the image of an instance exists locally.
   * @throws ContainerError `image` if it is unavailable
   */
  async provide({ name, image, pull = 'missing', platform }: ContainerSpec): Promise<string> {
    if (image === undefined) throw new ContainerError('image', `no image to run ${name}`);
    if (pull !== 'always' && (await this.has(image, platform))) return image;
    if (pull === 'never')
      throw new ContainerError('image', `the image ${image} does not exist locally and must not be pulled`);
    await this.pull(image, platform === undefined ? {} : { platform });
    return image;
  }

  /** Whether an image exists locally for the requested processor architecture. */
  private async has(image: string, platform: string | undefined): Promise<boolean> {
    try {
      const { Architecture } = await this.engine.docker.getImage(image).inspect();
      return platform === undefined || platform.split('/')[1] === Architecture;
    } catch (error) {
      if (isMissing(error)) return false;
      throw requestError(this.engine, error);
    }
  }

  private async fetch(image: string, platform: string | undefined): Promise<void> {
    const authconfig = await registryAuth(image);
    // Without a tag, an engine would pull all tags.
    const tagged = /(@|:[^/]+$)/.test(image) ? image : `${image}:latest`;
    try {
      const options = { ...(platform !== undefined && { platform }), ...(authconfig && { authconfig }) };
      await follow(await this.engine.docker.pull(tagged, options));
    } catch (failure) {
      const error = requestError(this.engine, failure);
      if (error instanceof ContainerError) throw error;
      throw new ContainerError('image', `${image} cannot be fetched: ${engineWords(error)}`, { cause: error });
    }
  }
}

/** Reads an engine's progress output, one JSON object per line, to its end. @throws Error with a reported error */
async function follow(stream: NodeJS.ReadableStream, onProgress?: (progress: Progress) => void): Promise<void> {
  let failure: string | undefined;
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const progress = JSON.parse(line) as Progress;
    failure ??= progress.errorDetail?.message ?? progress.error;
    onProgress?.(progress);
  }
  if (failure !== undefined) throw new Error(failure);
}
