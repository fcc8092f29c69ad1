export type * from './question.ts'
export { QuestionError } from './question.ts'
export type * from './schema.ts'
