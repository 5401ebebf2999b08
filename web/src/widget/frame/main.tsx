/** @jsxImportSource preact */
import { render } from 'preact';
import '../../tokens.css';
import { App } from './App';
import './frame.css';
import { readParameters } from './parameters';
import { watchScheme } from './scheme';

const root = document.getElementById('root');
if (!root) throw new Error('widget-frame.html has no #root');

const parameters = readParameters(location);
watchScheme(parameters.theme);
render(<App parameters={parameters} />, root);
