import { Hono } from 'hono'
import { submitWebsiteInfo, websiteInfoForm } from '../events/website-info.ts'
import { readBody } from './body.ts'
import { answerSubmission } from './leads.ts'
import type { ApiNode } from './node.ts'

/** `POST /api/submit-website-info`: the questionnaire, which becomes a lead. */
export const websiteInfoRoutes = (node: ApiNode) =>
  new Hono().post('/', async (c) => {
    const form = await readBody(c, websiteInfoForm, { forms: true })
    return await answerSubmission(
      node,
      c,
      (leadId) => submitWebsiteInfo({ leadId, form }),
      ({ id }) => ({ success: true, leadId: id }),
    )
  })
