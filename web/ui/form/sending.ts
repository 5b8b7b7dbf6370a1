import type { HttpError } from '../../http.ts'

/** The code that sends a form: only sending needs it, so that opening a page does not cost it. */
export const loadSending = async () => {
  const [{ submission }, { circumstancesOf }, { keepSentReference }] = await Promise.all([
    import('./submission.ts'),
    import('../../visit/circumstances.ts'),
    import('./sent-reference.ts'),
  ])
  return { submission, circumstancesOf, keepSentReference }
}

/** What the server found wrong at which field, where that is why a form was refused. */
export const fieldProblemsOf = (error: unknown) => {
  const { status, problem } = error as Partial<HttpError>
  return (status === 422 && problem?.errors) || []
}
