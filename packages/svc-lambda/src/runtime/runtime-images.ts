import type { Architecture, Runtime } from '@emu/service-types/lambda';

const REGISTRY = 'public.ecr.aws/lambda';
/** Platform names of container engines. */
const PLATFORMS: Record<string, string> = { x86_64: 'linux/amd64', arm64: 'linux/arm64' };

/**
 * Returns the image for functions of a runtime: AWS's, e.g. `public.ecr.aws/lambda/nodejs:22` for `nodejs22.x`, or the
 * one configured in `EMULATOR_LAMBDA_RUNTIME_IMAGES`.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/images-create.html#runtimes-images-lp
 */
export function runtimeImage(
  runtime: Runtime,
  architecture: Architecture = 'x86_64',
  overrides: Readonly<Record<string, string>> = {},
): { image: string; platform?: string } {
  const override = overrides[runtime];
  if (override !== undefined) return { image: override };
  const [, name = runtime, rest = ''] = /^([a-z]+)(.*)$/.exec(runtime) ?? [];
  const tag = rest.replace(/^\./, '').replace(/\.x$/, '') || 'latest';
  return { image: `${REGISTRY}/${name}:${tag}`, platform: PLATFORMS[architecture]! };
}
