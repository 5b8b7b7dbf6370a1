import { Hono } from 'hono'
import { submitWebsiteInfo, websiteInfoForm } from '../../events/website-info.ts'
import type { submittedWebsiteInfo } from '../../events/wire/lead.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { ApiNode } from '../node.ts'
import { answerSubmission } from './submission.ts'

/** `POST /api/submit-website-info`: the questionnaire, which becomes a lead. */
export const websiteInfoRoutes = (node: ApiNode) =>
  new Hono().post('/', (c) =>
    answerSubmission(node, c, {
      form: websiteInfoForm,
      trust: () => 'trusted_forms',
      submit: submitWebsiteInfo,
      answer: ({ id }): Sent<typeof submittedWebsiteInfo> => ({ success: true, leadId: id }),
    }),
  )
