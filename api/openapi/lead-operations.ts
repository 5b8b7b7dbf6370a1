import * as v from 'valibot'
import { assignmentForm } from '../../events/chat-assignment.ts'
import { followUpForm, noteForm } from '../../events/follow-up.ts'
import { answerEmailForm, chatAnswerForm, contactForm } from '../../events/lead-answer.ts'
import { correctionForm } from '../../events/lead-correction.ts'
import { chatLeadForm, leadEntryForm } from '../../events/lead-entry.ts'
import { importMapping, importStartForm } from '../../events/lead-import.ts'
import { mergeForm } from '../../events/lead-merge.ts'
import { chatList, chatRecord, madeAssignment, sentTranscript, waitingChats } from '../../events/wire/chat.ts'
import {
  importCheck,
  importPreview,
  importWork,
  incompleteRows,
  leadImport,
  leadImports,
  leftOutRows,
} from '../../events/wire/import.ts'
import { lead, leadSummary, leads, waitingLeads } from '../../events/wire/lead.ts'
import { erasable, leadHistory, leftToErase, person, timelineEntry } from '../../events/wire/person.ts'
import { chatQuery, recordQuery } from '../chat/chats-query.ts'
import { eraseForm } from '../leads/erasure.ts'
import { exportQuery } from '../leads/export.ts'
import { undoForm } from '../leads/follow-up.ts'
import { leadFilter, leadQuery } from '../leads/query.ts'
import { rowQuery } from '../leads/row-page.ts'
import type { Operations } from './operation.ts'

const SEEN = { 'If-Match': 'The version that the change was made on, such as "3": 409 where others changed the same.' }

/** Leads, imports and chats. */
export const LEAD_OPERATIONS: Operations = {
  'GET /api/leads': { summary: 'Lists leads', query: leadQuery, answer: leads, isPaged: true },
  'POST /api/leads/by-hand': { summary: 'Enters a lead', body: leadEntryForm, answer: lead, status: 201 },
  'GET /api/leads/summary': { summary: 'Counts leads by day', query: leadFilter, answer: leadSummary },
  'GET /api/leads/waiting': { summary: 'Counts leads that wait for their first answer', answer: waitingLeads },
  'GET /api/leads/stream': {
    summary:
      'Sends each new or changed lead as it is known, that the quarantine changed, and a heartbeat every two seconds (server-sent events)',
    answer: { mediaType: 'text/event-stream' },
  },
  'GET /api/leads/export': {
    summary: 'Leads as a file, CSV (separated by semicolons) or Excel',
    query: exportQuery,
    answer: { mediaType: 'application/octet-stream' },
  },
  'GET /api/leads/:id': { summary: 'One lead', answer: lead },
  'PATCH /api/leads/:id': {
    summary: 'Changes status, owner, next action, value or day of conversion',
    body: followUpForm,
    answer: lead,
    mayConflict: true,
    headers: SEEN,
  },
  'PATCH /api/leads/:id/contact': {
    summary: 'Corrects name, email address, phone number or company',
    body: correctionForm,
    answer: lead,
    mayConflict: true,
    headers: SEEN,
  },
  'POST /api/leads/:id/notes': { summary: 'Adds a note', body: noteForm, answer: timelineEntry, status: 201 },
  'POST /api/leads/:id/emails': {
    summary: 'Answers a lead by email',
    body: answerEmailForm,
    answer: lead,
    status: 201,
    mayConflict: true,
  },
  'POST /api/leads/:id/contacts': {
    summary: 'Notes an answer by WhatsApp, telephone or one’s own mail program',
    body: contactForm,
    answer: lead,
    status: 201,
    mayConflict: true,
  },
  'POST /api/leads/:id/chat-answers': {
    summary: 'Counts what staff wrote first in a chat since the lead came as its answer',
    body: chatAnswerForm,
    answer: lead,
    status: 201,
    mayConflict: true,
  },
  'POST /api/leads/:id/merge': {
    summary: 'Merges another lead into this one, which stays',
    body: mergeForm,
    headers: SEEN,
    answer: lead,
    mayConflict: true,
  },
  'POST /api/leads/:id/undo': {
    summary: 'Takes a change, a note, a noted call or message, or a merge back',
    body: undoForm,
    answer: lead,
    mayConflict: true,
  },
  'POST /api/leads/:id/flag': { summary: 'Moves a lead that is spam into quarantine', answer: lead, mayConflict: true },
  'POST /api/leads/:id/release': { summary: 'Releases a flagged submission', answer: lead, mayConflict: true },
  'GET /api/leads/:id/person': { summary: 'The person of a lead: leads, chats, emails and notes', answer: person },
  'GET /api/leads/:id/history': { summary: 'The events of a lead, oldest first', answer: leadHistory },
  'GET /api/leads/:id/erase': { summary: 'What would be erased with the person of a lead', answer: erasable },
  'POST /api/leads/:id/erase': {
    summary: 'Erases the person of a lead for good; 202 while something is left to do, then 204',
    body: eraseForm,
    answer: leftToErase,
    status: 202,
    mayConflict: true,
  },
  'POST /api/imports': {
    summary: 'Takes a CSV file in; nothing is added yet',
    body: { mediaType: 'text/csv' },
    answer: importPreview,
    status: 201,
  },
  'GET /api/imports': { summary: 'Lists imports', answer: leadImports },
  'GET /api/imports/:id': { summary: 'How far an import is', answer: leadImport },
  'GET /api/imports/:id/work': { summary: 'What was done to the leads of an import since', answer: importWork },
  'GET /api/imports/:id/leads': {
    summary: 'The leads that an import has added, in the order of its file',
    query: rowQuery,
    answer: leads,
    isPaged: true,
  },
  'GET /api/imports/:id/left-out': {
    summary: 'Which rows of a file were left out, and why',
    query: rowQuery,
    answer: leftOutRows,
    isPaged: true,
  },
  'GET /api/imports/:id/left-out.csv': {
    summary: 'The rows that were left out, as a file to correct',
    answer: { mediaType: 'text/csv' },
  },
  'GET /api/imports/:id/incomplete': {
    summary: 'Which rows of a file came in without a cell that could not be used',
    query: rowQuery,
    answer: incompleteRows,
    isPaged: true,
  },
  'POST /api/imports/:id/check': {
    summary: 'What the rows of a file would become',
    body: v.strictObject({ mapping: importMapping }),
    answer: importCheck,
    mayConflict: true,
  },
  'POST /api/imports/:id/start': {
    summary: 'Adds the rows of a file',
    body: importStartForm,
    answer: leadImport,
    status: 202,
    mayConflict: true,
  },
  'POST /api/imports/:id/undo': {
    summary: 'Takes a whole import back',
    answer: leadImport,
    status: 202,
    mayConflict: true,
  },
  'GET /api/chats': { summary: 'Lists chats', query: chatQuery, answer: chatList, isPaged: true },
  'GET /api/chats/waiting': { summary: 'Counts visitors who wait for an answer', answer: waitingChats },
  'GET /api/chats/:id': { summary: 'One chat, with a page of its messages', query: recordQuery, answer: chatRecord },
  'POST /api/chats/:id/lead': { summary: 'Makes a lead of a chat', body: chatLeadForm, answer: lead, status: 201 },
  'POST /api/chats/:id/assign': {
    summary: 'Makes a chat somebody’s, or nobody’s',
    body: assignmentForm,
    answer: madeAssignment,
    mayConflict: true,
  },
  'POST /api/chats/:id/transcript': {
    summary: 'Sends the conversation to its visitor',
    answer: sentTranscript,
    status: 202,
  },
  'POST /api/chats/:id/revoke-links': { summary: 'Ends the links to a chat that were sent', status: 204 },
  'POST /api/chats/:id/erase': { summary: 'Erases a chat for good', status: 204 },
}
