/** A file that a page sends by XMLHttpRequest, for a test to respond to. */
export class TestUpload {
  /** The uploads of the test, in order. */
  static made: TestUpload[] = []
  static #real = globalThis.XMLHttpRequest

  /** Replaces the browser's requests for one test. */
  static install() {
    TestUpload.made = []
    Object.assign(globalThis, { XMLHttpRequest: TestUpload })
  }

  static uninstall() {
    Object.assign(globalThis, { XMLHttpRequest: TestUpload.#real })
  }

  method = ''
  path = ''
  readonly headers: Record<string, string> = {}
  isAborted = false
  timeout = 0
  status = 0
  statusText = ''
  responseText = ''
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  readonly upload = { onprogress: (_: { loaded: number; total: number }) => {} }
  #answerHeaders = new Headers()

  open(method: string, path: string) {
    Object.assign(this, { method, path })
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }

  getResponseHeader(name: string) {
    return this.#answerHeaders.get(name)
  }

  send() {
    TestUpload.made.push(this)
  }

  abort() {
    this.isAborted = true
    this.onabort()
  }

  progress(part: number) {
    this.upload.onprogress({ loaded: part * 100, total: 100 })
  }

  answer(status: number, body: object, headers: Record<string, string> = {}) {
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    this.#answerHeaders = new Headers({ 'content-type': type, ...headers })
    Object.assign(this, { status, responseText: JSON.stringify(body) })
    this.onload()
  }

  /** The connection breaks off. */
  fail() {
    this.onerror()
  }
}
