/** Why an event is none of the step's records. Part of the profile: keep them short and stable. */
export const EVENT_REASONS = {
  notAnObject: 'event that is no object',
  otherPhase: 'event that is no operation',
  noTimes: 'event without a time or a duration',
  unpaired: 'begin without an end or end without a begin',
  notOfTheProcess: 'event of a process that is no device',
  unnamed: 'event without the name of an operation',
  drawing: 'event that is drawn beside the operations',
  cutOff: 'last event of a file, cut off',
  otherEvent: 'event that holds no run metadata',
  unmatched: 'transfer that no operation is known to wait for',
  repeated: 'record of a step that another file holds too',
  partOfStep: 'operation of a step that is not whole'
} as const
