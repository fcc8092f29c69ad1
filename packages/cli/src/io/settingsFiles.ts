import { realpath } from 'node:fs/promises'

/** Flags that name a file with settings, here or in a list of policies. */
export interface SettingsFlags {
  cluster?: string
  placement?: string
  sizes?: string
  plan?: string
  policy?: string
}

/** Files of settings that a command reads, symbolic links followed: no result may replace them. What is no file, such as --placement greedy, has no path. */
export async function settingsFiles({ cluster, placement, sizes, plan, policy = '' }: SettingsFlags) {
  const orders = policy
    .split(',')
    .filter(name => name.startsWith('order:'))
    .map(name => name.slice('order:'.length))
  const names = [cluster, placement, sizes, plan, ...orders].filter(name => name !== undefined)
  return Promise.all(names.map(async name => ({ realPath: await realpath(name).catch(() => undefined) })))
}
