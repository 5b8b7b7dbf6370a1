import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'

const ANSWERS: readonly string[] = ['answer_email', 'whatsapp', 'call', 'chat_answer'] satisfies TimelineEntry['kind'][]

/** Whether an entry of a timeline is a reply from staff. */
export const isAnswer = ({ kind }: TimelineEntry): boolean => ANSWERS.includes(kind)
