/** What policies are called, without what they do: read on the command line, where no policy is loaded. */
export const policyNames = ['recorded', 'random', 'fifo', 'tic', 'tac', 'priority'] as const

/** What `Question.policy` and `--policy` take by name; `order:FILE` ranks the transfers by a file. */
export type PolicyName = (typeof policyNames)[number] | `order:${string}`

/** Those that a comparison takes when none are named. */
export const comparedPolicies = policyNames

/** A name that there is, or `order:` with whatever follows: whether that file exists is not looked at. */
export function isPolicyName(name: string): name is PolicyName {
  return name.startsWith('order:') || policyNames.some(known => known === name)
}

/** Where the ranks of the policy `priority` can come from: the order of first use (fifo), or TAC (Hashemi et al., TicTac, MLSys 2019). */
export type PriorityOrder = 'fifo' | 'tac'

/** All of them; the first is the default. */
export const priorityOrders: readonly PriorityOrder[] = ['fifo', 'tac']
