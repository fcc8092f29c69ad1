import { type Question, QuestionError } from '../question.ts'
import { fifo } from './fifo.ts'
import { policyNames } from './names.ts'
import { orderOf } from './orderFile.ts'
import type { Policy } from './policy.ts'
import { checkPriority, priority } from './priority.ts'
import { random } from './random.ts'
import { recorded } from './recorded.ts'
import { tac } from './tac.ts'
import { tic } from './tic.ts'

/** Policies that need nothing but their name. */
const plain = { recorded, fifo, tic, tac }

type Asked = Pick<Question, 'policy' | 'orders' | 'priority' | 'seed'>

/** The name of the policy that a question asks for, as its points carry it. */
export function nameOfPolicy({ policy = 'recorded' }: Pick<Question, 'policy'>): string {
  return typeof policy === 'string' ? policy : policy.name
}

/**
 * The policy that a question asks for.
 *
 * @throws QuestionError for a name that there is not, a file that is not given or wrong, settings that contradict each other
 */
export function policyOf(question: Asked): Policy {
  const { policy = 'recorded', orders, priority: settings = {}, seed = 1 } = question
  if (typeof policy !== 'string') return policy
  if (policy.startsWith('order:')) {
    const file = orders?.[policy]
    if (file === undefined) throw new QuestionError(`policy ${policy} has no file: give its text in orders`)
    return orderOf(policy, file)
  }
  if (Object.hasOwn(plain, policy)) return plain[policy as keyof typeof plain]
  if (policy === 'random') return random(seed)
  if (policy === 'priority') return priority(settings)
  throw new QuestionError(`policy is ${policy}: use ${policyNames.join(', ')} or order:FILE`)
}

/** @throws QuestionError as `policyOf` */
export function checkPolicy(question: Asked): void {
  checkPriority(question.priority ?? {})
  policyOf(question)
}
